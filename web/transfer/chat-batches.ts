import { transferPaths } from "#contract/transfer/paths.ts";
import {
  IMPORT_BODY_MAX,
  type ImportOutcome,
  type ImportResult,
  importResultSchema,
} from "#contract/transfer/transfer.ts";
import { parseJson } from "../api/api-error.ts";
import { ApiError, api, readApiError } from "../api/client.ts";
import { wait } from "../api/wait.ts";
import type { ArchiveUploads, NamedFile } from "./zip/archive-uploads.ts";

/** Limits of one request: the server handles it within a few seconds, so that the progress moves. */
const CHATS_AT_ONCE = 50;
const CHARS_AT_ONCE = 2_000_000;
/** Files that are uploaded before the chats that name them: a server keeps 100 that no message names. */
const FILES_AT_ONCE = 50;
/** Room for `,"chats":[]}`, with a margin. */
const FRAME_BYTES = 100;

/** `position`: number of the chat in the file, from 1. `files`: files to upload before it. */
type Waiting = { chat: string; position: number; files: readonly NamedFile[] };

/** Results of all requests together. */
export type ImportSum = Omit<ImportResult, "outcomes">;

type Uploads = Pick<ArchiveUploads, "namedIn" | "upload" | "removeUnnamed">;

/** Sends the chats of one file in batches, each behind its files. */
export class ChatBatches {
  readonly result: ImportSum = { imported: 0, skipped: 0, deleted: 0, folders: 0, presets: 0, problems: [] };
  /** What became of each chat, by its number in the file, from 1. */
  readonly outcomes = new Map<number, ImportOutcome>();
  readonly #head: string;
  readonly #signal: AbortSignal;
  readonly #uploads: Uploads | undefined;
  readonly #roomBytes: number;
  readonly #waiting: Waiting[] = [];
  #chars = 0;
  #files = 0;
  #position = 0;
  #hasSent = false;

  /** @param head everything but the chats, as JSON without its end */
  constructor(head: string, signal: AbortSignal, uploads: Uploads | undefined) {
    this.#head = head;
    this.#signal = signal;
    this.#uploads = uploads;
    this.#roomBytes = IMPORT_BODY_MAX - bytesOf(head) - FRAME_BYTES;
  }

  /** Adds the next chat (JSON) to the waiting ones. */
  add(chat: string): void {
    const position = ++this.#position;
    // The server would refuse the request for its size, and the chats after it would not be imported.
    if (bytesOf(chat) > this.#roomBytes) {
      this.result.problems.push({ chat: `#${position}`, reason: "too-large" });
      this.outcomes.set(position, "refused");
    } else {
      const files = this.#uploads?.namedIn(chat) ?? [];
      this.#waiting.push({ chat, position, files });
      this.#chars += chat.length;
      this.#files += files.length;
    }
  }

  /** Whether the waiting chats fill a request. */
  get isFull(): boolean {
    return this.#waiting.length >= CHATS_AT_ONCE || this.#chars >= CHARS_AT_ONCE || this.#files >= FILES_AT_ONCE;
  }

  /** Sends the waiting chats. @throws ApiError, and the signal's reason */
  async send(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendPart(takePart(this.#waiting));
    this.#chars = 0;
    this.#files = 0;
  }

  /** Sends the last chats; if there are no chats, the head alone, which may contain folders or presets. */
  async end(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#hasSent)
      addUp(this.result, await sendBatch(`${this.#head},"chats":[]}`, this.#signal));
    await this.send();
  }

  async #sendPart(part: readonly Waiting[]): Promise<void> {
    const result = await this.#sendWithFiles(part);
    this.#hasSent = true;
    addUp(this.result, withFilePositions(result, part));
    const outcomeAt = (at: number) => result.outcomes[at] ?? "refused";
    for (const [at, { position }] of part.entries()) this.outcomes.set(position, outcomeAt(at));
    await this.#uploads?.removeUnnamed(filesOf(part.filter((_, at) => isLeft(outcomeAt(at)))));
  }

  async #sendWithFiles(part: readonly Waiting[]): Promise<ImportResult> {
    const body = `${this.#head},"chats":[${part.map(({ chat }) => chat).join(",")}]}`;
    const files = filesOf(part);
    let result: ImportResult | undefined;
    let sent = 0;
    let isUnanswered = false;
    try {
      do {
        await this.#uploads?.upload(files.slice(sent, sent + FILES_AT_ONCE));
        sent += FILES_AT_ONCE;
        isUnanswered = true;
        const answer = await sendBatch(body, this.#signal);
        isUnanswered = false;
        // A chat with more files is sent again: then it exists, and names those that have arrived since.
        result = result ? { ...result, problems: answer.problems } : answer;
      } while (sent < files.length && !result.outcomes.every(isLeft));
      return result;
    } catch (error) {
      // Without an answer the server may import the chats still, and they name the files.
      if (!isUnanswered || isAnswer(error)) await this.#uploads?.removeUnnamed(files);
      throw error;
    }
  }
}

const filesOf = (chats: readonly Waiting[]): NamedFile[] => chats.flatMap(({ files }) => files);

/** Whether the account does not have the chat after an import. */
const isLeft = (outcome: ImportOutcome): boolean => outcome === "refused" || outcome === "deleted";

/** Whether an error is an answer of the server. */
const isAnswer = (error: unknown): boolean => error instanceof ApiError && error.status > 0;

/** Size in UTF-8, as it is sent. */
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** The server names a chat without a title by its position in the batch; replaces it by the position in the file. */
function withFilePositions(result: ImportResult, part: readonly Waiting[]): ImportResult {
  const inFile = (chat: string) => {
    const position = /^#(\d+)$/.test(chat) ? part[Number(chat.slice(1)) - 1]?.position : undefined;
    return position === undefined ? chat : `#${position}`;
  };
  return { ...result, problems: result.problems.map((problem) => ({ ...problem, chat: inFile(problem.chat) })) };
}

/** Removes as many chats from the front as one request may have. */
function takePart(waiting: Waiting[]): Waiting[] {
  let chars = 0;
  let named = 0;
  let count = 0;
  for (const { chat, files } of waiting) {
    const isFull =
      count >= CHATS_AT_ONCE || chars + chat.length > CHARS_AT_ONCE || named + files.length > FILES_AT_ONCE;
    if (count > 0 && isFull) break;
    chars += chat.length;
    named += files.length;
    count++;
  }
  return waiting.splice(0, count);
}

/** Sends a batch. Retries are safe: the server skips chats that it has already. */
async function sendBatch(body: string, signal: AbortSignal): Promise<ImportResult> {
  for (let tries = 1; ; tries++) {
    const response = await api.open(transferPaths.import, { method: "POST", body, signal });
    const text = response.ok ? await response.text() : "";
    if (response.ok) return importResultSchema.parse(parseJson(text));
    const error = await readApiError(response);
    if (!isForLater(error) || tries >= MAX_TRIES) throw error;
    await wait(error.retryAfterMs ?? RETRY_MS, signal);
  }
}

const RETRY_MS = 2000;
const MAX_TRIES = 5;

function isForLater({ status, code }: ApiError): boolean {
  return code === "too-many-requests" || status === 503;
}

function addUp(sum: ImportSum, part: ImportResult): void {
  sum.imported += part.imported;
  sum.skipped += part.skipped;
  sum.deleted += part.deleted;
  sum.folders += part.folders;
  sum.presets += part.presets;
  // Every batch repeats the problems of folders and presets beyond the limit.
  const known = new Set(sum.problems.map(({ chat, reason }) => `${reason} ${chat}`));
  for (const problem of part.problems) {
    const isFiling = problem.reason === "folder" || problem.reason === "preset";
    if (!isFiling || !known.has(`${problem.reason} ${problem.chat}`)) sum.problems.push(problem);
  }
}
