import { citedSources, SOURCE_WORDS, webAddressOf } from "#contract/conversation/citations/cited-sources.ts";
import {
  type KnownPart,
  NOTICE_NAMES_MAX,
  type NoticePart,
  type PictureLoss,
  type ReasoningPart,
  type ToolPart,
  type ToolState,
  toKnownPart,
} from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { efforts } from "#contract/models/effort.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import { modelName, type ShownMessage } from "../shown-branch.ts";
import type { Render } from "./html-renderer.ts";

/** `step`: yields to the event loop, called after each part. */
type WordsOptions = { withReasoning: boolean; render: Render; step: () => Promise<void> };

/** A message whose parts stand between sections of its text. */
export type MessageWords = Pick<ShownMessage, "text" | "parts" | "who">;

/**
 * Returns the words of a message as HTML: its notices, its reasoning if `withReasoning`, its text between them, and its
 * sources.
 */
export async function wordsHtml(message: MessageWords, options: WordsOptions): Promise<string> {
  const { withReasoning, render } = options;
  const words = await mergeParts(message, { ...options, write: (part) => partHtml(part, withReasoning, render) });
  return [...words, ...sourcesHtml(message.parts)].join("\n");
}

type MergeOptions = Pick<WordsOptions, "render" | "step"> & { write: (part: KnownPart) => Promise<string> };

/**
 * Returns the sections of a message's text with its parts between them.
 * @param options `write` returns a part as it is shown; empty if it is not
 */
export async function mergeParts(
  { text, parts, who }: MessageWords,
  { render, step, write }: MergeOptions,
): Promise<string[]> {
  const written: { at: number; words: string }[] = [];
  for (const part of parts) {
    await step();
    const known = toKnownPart(part);
    const words = known && (await write(known));
    if (words) written.push({ at: part.at, words });
  }
  const cuts = [...new Set(written.map(({ at }) => at))].filter((at) => at > 0).sort((a, b) => a - b);
  const sections = await render(text, { cuts, isQuestion: who === "You" });
  const partsAt = Map.groupBy(written, ({ at }) => at);
  return [0, ...cuts].flatMap((at, index) => [
    ...(partsAt.get(at) ?? []).map(({ words }) => words),
    sections[index] ?? "",
  ]);
}

/** Returns the list of the sources that an answer cites, if there are any. */
function sourcesHtml(parts: readonly MessagePart[]): string[] {
  const items = citedSources(parts).map(({ number, url, title, isMissing }) => {
    const address = webAddressOf(url);
    const link = address === null ? "" : ` <bdi><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></bdi>`;
    return `<li>[${escapeHtml(number)}] <bdi>${escapeHtml(title)}</bdi>${link}${isMissing ? ` (${SOURCE_WORDS.missing})` : ""}</li>`;
  });
  if (items.length === 0) return [];
  return [
    `<p class="details"><strong>${SOURCE_WORDS.heading}</strong></p>\n<ul class="details sources">\n${items.join("\n")}\n</ul>`,
  ];
}

async function partHtml(part: KnownPart, withReasoning: boolean, render: Render): Promise<string> {
  if (part.kind === "reasoning") return withReasoning ? reasoningHtml(part, render) : "";
  const words = part.kind === "notice" ? noticeWords(part) : part.kind === "tool" ? toolWords(part) : "";
  return words && `<p class="details notice">${escapeHtml(words)}</p>`;
}

async function reasoningHtml({ text, durationMs }: ReasoningPart, render: Render): Promise<string> {
  if (text.trim() === "") return "";
  const title = durationMs === undefined ? "Reasoning" : `Thought for ${durationWords(durationMs)}`;
  const words = await render(text);
  return `<details class="reasoning" open><summary class="details">${title}</summary>\n${words.join("")}\n</details>`;
}

/** "12s", "2m 5s"; at least one second. */
function durationWords(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / SECOND));
  const perMinute = MINUTE / SECOND;
  const units = [`${Math.floor(seconds / perMinute)}m`, `${seconds % perMinute}s`];
  return units.filter((unit) => !unit.startsWith("0")).join(" ");
}

const effortNames = {
  ...{ off: "Off", minimal: "Minimal", low: "Low", medium: "Medium", high: "High" },
  ...{ xhigh: "Extra high", max: "Maximum" },
};

/** Returns the words of a notice; empty if its parameters are those of a newer server. */
function noticeWords({ at, code, params }: NoticePart): string {
  const [model, instead] = [params.model, params.instead].map((value) => modelName(String(value)));
  if (code === "cut") return typeof params.messages === "number" ? cutWords(params.messages) : "";
  if (code === "model") {
    return at === 0
      ? `${instead} did not answer; ${model} answered instead.`
      : `${instead} did not finish its answer; ${model} continued it.`;
  }
  if (code === "server-cut") return serverCutWords(params);
  if (code === "no-tool-run") return NO_TOOL_RUN;
  if (code === "tools-left-out") return `The model did not receive ${params.tools} of the tools that were switched on.`;
  if (code === "tools-ended") return params.reason === "failures" ? TOOLS_FAILED : TOOL_ROUNDS;
  if (code === "picture") return pictureWords.get(String(params.reason)) ?? "";
  if (code === "file") return fileWords(params);
  if (code === "files") return `Files of earlier messages that the model did not receive whole: ${namesOf(params)}.`;
  const [asked, used] = [params.asked, params.used].map((value) => efforts.find((effort) => effort === value));
  return asked && used ? `This model has no effort “${effortNames[asked]}”; “${effortNames[used]}” was used.` : "";
}

const cutWords = (messages: number) =>
  `The model did not receive the first ${messages === 1 ? "message" : `${messages} messages`}: this chat is longer than its context window.`;

const serverCutWords = ({ sent, received }: NoticePart["params"]) =>
  `The server of this model has read only ${received} of more than ${sent} tokens: it cut the beginning of the chat.`;

const NO_TOOL_RUN =
  "The model wrote what looks like the call of a tool, but no tool was run: results in this answer are made up.";

const TOOL_ROUNDS = "The answer ended here: it had used tools as often as one answer may.";
const TOOLS_FAILED = "The answer ended here: the same call of a tool had failed three times.";

const toolStateWords = {
  proposed: "waits for a decision",
  approved: "not run yet",
  declined: "declined",
  sent: "sent",
  asking: "waits for answers",
  succeeded: "done",
  failed: "failed",
  unknown: "may have happened",
} satisfies Record<ToolState, string>;

const toolWords = ({ server, name, state }: ToolPart) => `Tool “${name}” (${server}): ${toolStateWords[state]}.`;

const pictureWords = new Map<string, string>([
  ["quota", "A picture of this answer was not kept: the account had no room left."],
  ["large", "A picture of this answer was not kept: it was too large."],
  ["many", "A picture of this answer was not kept: the answer had too many."],
  ["unreadable", "A picture of this answer was not kept: it could not be read."],
  ["off", "A picture of this answer was not kept: this server stores no files."],
  ["temporary", "A picture of this answer was not kept: nothing of a temporary chat is stored."],
  ["failed", "A picture of this answer could not be kept."],
] satisfies [PictureLoss, string][]);

const receivedWords = new Map([
  ["none", "The model did not receive the file"],
  ["text", "The model received only the text of the file"],
  ["part", "The model received only a part of the file"],
]);

const obstacleWords = new Map([
  ["refused", "did not accept it"],
  ["animated", "accepts only still pictures"],
]);

function fileWords({ name, received, reason }: NoticePart["params"]): string {
  const words = receivedWords.get(String(received));
  const obstacle = obstacleWords.get(String(reason));
  return words === undefined ? "" : `${words} “${name}”${obstacle ? `: its provider ${obstacle}` : ""}.`;
}

/** @returns names of the newest files, and a mark if there are more */
function namesOf({ files, names }: NoticePart["params"]): string {
  const listed = String(names);
  return Number(files) > NOTICE_NAMES_MAX ? `…, ${listed}` : listed;
}
