import type { PromptFile } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { BYTES_PER_LIKELY_TOKEN, likelyTokens, turnsOf } from "../prompt-window.ts";
import {
  mapFilesOf,
  newestFirst,
  type PlannedFile,
  type PlannedMessage,
  plannedAsName,
  plannedAsText,
  plannedFilesOf,
  plannedTokens,
  tokensOfForm,
} from "./file-plan.ts";
import { missingSentence, type NamedFile } from "./file-text.ts";

/**
 * Messages that fit a window. `missing`: files of older messages, which the model does not receive, oldest first;
 * `sentence` names them, and is empty if there are none or if it does not fit.
 */
export type FittedTurns = { messages: PlannedMessage[]; missing: NamedFile[]; sentence: string };

/** Share of the room that older messages may take from the files of a last turn that does not fit whole. */
const OLDER_SHARE = 1 / 4;
/** Texts of older files are cut in steps, so that the beginning of the prompt, which providers cache, seldom changes. */
const CUT_STEPS = 8;

/**
 * Fits a prompt into `room` tokens. In the order of importance: the last turn, the words of older turns, their files.
 * The newest come first, and no turn is older than a removed one. If the last turn alone does not fit, its files are
 * reduced: the longest texts are cut, then PDF files become text, then pictures are only named, the oldest first. Texts
 * of older turns are cut, and files that do not fit at all are named.
 * @param planned oldest first
 * @param unread files of messages that are older than `planned`
 * @throws ModelError `assistant-too-long` if the last turn does not fit even without its files
 */
export function fitTurns(
  planned: readonly PlannedMessage[],
  room: number,
  unread: readonly NamedFile[] = [],
): FittedTurns {
  const turns = turnsOf(planned);
  const last = turns.pop() ?? [];
  const names = turns.map((turn) => mapFiles(turn, plannedAsName));
  const newest = fitLast(last, room, tokensOf(names.flat()));
  const { from, missing, sentence, left } = fitWords(names, room - tokensOf(newest), unread);
  return { messages: [...fitOlderFiles(turns.slice(from).flat(), left), ...newest], missing, sentence };
}

function tokensOf(messages: readonly PlannedMessage[]): number {
  return messages.reduce((sum, message) => sum + plannedTokens(message), 0);
}

function mapFiles(messages: readonly PlannedMessage[], map: (file: PlannedFile) => PlannedFile): PlannedMessage[] {
  return messages.map((message) => mapFilesOf(message, map));
}

/** Returns the last turn whole, else with reduced files. @param olderTokens tokens of the words of older turns */
function fitLast(last: readonly PlannedMessage[], room: number, olderTokens: number): PlannedMessage[] {
  if (tokensOf(last) <= room) return [...last];
  const least = tokensOf(mapFiles(last, ({ file }) => ({ ...plannedAsText(file), maxBytes: 0 })));
  const reserved = Math.max(0, Math.min(olderTokens, room * OLDER_SHARE, room - least));
  return reduced(last, room - reserved);
}

/**
 * Fits the words of older turns.
 * @param turns with the names of their files
 * @returns index of the first turn that fits; and the tokens that are left
 */
function fitWords(turns: readonly PlannedMessage[][], room: number, unread: readonly NamedFile[]) {
  const tokens = turns.map(tokensOf);
  let left = room;
  let from = turns.length;
  for (; from > 0; from--) {
    const next = tokens[from - 1] ?? 0;
    if (next > left) break;
    left -= next;
  }
  for (; ; from++) {
    const dropped = turns.slice(0, from).flat();
    const missing = [...unread, ...dropped.flatMap((message) => plannedFilesOf(message).map(({ file }) => file))];
    const sentence = missing.length > 0 ? missingSentence(missing) : "";
    const ofSentence = likelyTokens(sentence);
    if (ofSentence <= left) return { from, missing, sentence, left: left - ofSentence };
    if (from === turns.length) return { from, missing, sentence: "", left };
    left += tokens[from] ?? 0;
  }
}

/** Gives files the best form that fits beyond their names, which fit already. The newest come first. */
function fitOlderFiles(messages: readonly PlannedMessage[], room: number): PlannedMessage[] {
  let left = room;
  const fit = (planned: PlannedFile): PlannedFile => {
    const name = plannedAsName(planned);
    const tokensOfName = tokensOfForm(name);
    for (const form of formsOf(planned)) {
      const tokens = tokensOfForm(form) - tokensOfName;
      if (tokens > left) continue;
      left -= tokens;
      return form;
    }
    return name;
  };
  return newestFirst(messages, (message) => mapFilesOf(message, fit));
}

/** Yields the forms of a file, the best first: as planned, as its text, and as shorter and shorter parts of it. */
function* formsOf(planned: PlannedFile): Generator<PlannedFile> {
  yield planned;
  const text = { ...plannedAsText(planned.file), obstacle: planned.obstacle };
  if (planned.form === "native") yield text;
  if (planned.form === "name" || text.form === "name") return;
  for (let step = CUT_STEPS - 1; step > 0; step--) {
    yield { ...text, maxBytes: Math.floor((text.maxBytes * step) / CUT_STEPS) };
  }
}

/** Reduces the files of a turn until it fits. @throws ModelError `assistant-too-long` if it does not without them */
function reduced(turn: readonly PlannedMessage[], room: number): PlannedMessage[] {
  let messages = [...turn];
  for (;;) {
    const left = room - tokensOf(withMaxBytes(messages, () => 0));
    if (left >= 0) return withSharedRoom(messages, left);
    const next = nextNative(messages);
    if (!next) throw new ModelError("assistant-too-long");
    messages = mapFiles(messages, (planned) => (planned === next ? plannedAsText(planned.file) : planned));
  }
}

/** Returns the file to reduce next, of the files that are sent as they are: the oldest PDF, else the oldest picture. */
function nextNative(messages: readonly PlannedMessage[]): PlannedFile | undefined {
  const native = messages.flatMap((message) => plannedFilesOf(message).filter(({ form }) => form === "native"));
  return native.find(({ file }) => file.kind === "pdf") ?? native[0];
}

function withMaxBytes(messages: readonly PlannedMessage[], maxBytesOf: (file: PromptFile) => number): PlannedMessage[] {
  return mapFiles(messages, (planned) =>
    planned.form === "text" ? { ...planned, maxBytes: maxBytesOf(planned.file) } : planned,
  );
}

/** Cuts the texts that are longer than an equal share of the room, so that shorter ones stay whole. */
function withSharedRoom(messages: readonly PlannedMessage[], tokens: number): PlannedMessage[] {
  const sizes = messages
    .flatMap(plannedFilesOf)
    .flatMap(({ file, form }) => (form === "text" ? [file.textBytes] : []))
    .sort((a, b) => a - b);
  // Each text's tokens are rounded up.
  let left = Math.max(0, tokens - sizes.length) * BYTES_PER_LIKELY_TOKEN;
  let share = 0;
  for (const [index, size] of sizes.entries()) {
    share = Math.floor(left / (sizes.length - index));
    if (size > share) break;
    left -= size;
  }
  return withMaxBytes(messages, ({ textBytes }) => Math.min(textBytes, share));
}
