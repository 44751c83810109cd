import type { FileBytes } from "../archive/file-bytes.ts";
import { utf8Of } from "../archive/utf8.ts";
import { IMPORT_BODY_MAX, type ImportOutcome, type ImportResult } from "../transfer.ts";
import type { ArchiveUploads, NamedFile } from "./archive-uploads.ts";

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

type Uploads = Pick<ArchiveUploads<FileBytes>, "namedIn" | "upload" | "removeUnnamed">;

/** Where batches go. */
export type BatchTarget = {
  /** Imports the chats of a document (JSON); called again for a chat with many files. May be repeated. */
  send(body: string): Promise<ImportResult>;
  /** Whether the chats of a document whose `send` has thrown an error may be imported still. */
  mayComplete(error: unknown): boolean;
};

/** Sends the chats of one file in batches, each behind its files. */
export class ChatBatches {
  readonly result: ImportSum = { imported: 0, skipped: 0, deleted: 0, folders: 0, presets: 0, problems: [] };
  /** What became of each chat, by its number in the file, from 1. */
  readonly outcomes = new Map<number, ImportOutcome>();
  readonly #head: string;
  readonly #target: BatchTarget;
  readonly #uploads: Uploads | undefined;
  readonly #roomBytes: number;
  readonly #waiting: Waiting[] = [];
  #chars = 0;
  #files = 0;
  #position = 0;
  #hasSent = false;

  /** @param head everything but the chats, as JSON without its end */
  constructor(head: string, target: BatchTarget, uploads: Uploads | undefined) {
    this.#head = head;
    this.#target = target;
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

  /** Sends the waiting chats. @throws errors of uploads and batches */
  async send(): Promise<void> {
    while (this.#waiting.length > 0) await this.#sendPart(takePart(this.#waiting));
    this.#chars = 0;
    this.#files = 0;
  }

  /** Sends the last chats; if there are no chats, the head alone, which may contain folders or presets. */
  async end(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#hasSent)
      addUp(this.result, await this.#target.send(`${this.#head},"chats":[]}`));
    await this.send();
  }

  async #sendPart(part: readonly Waiting[]): Promise<void> {
    const result = await this.#sendWithFiles(part);
    this.#hasSent = true;
    addUp(this.result, withFilePositions(result, part));
    for (const [at, { position }] of part.entries()) {
      const outcome = result.outcomes[at];
      // A chat that the import has not reached has none.
      if (outcome !== undefined) this.outcomes.set(position, outcome);
    }
    await this.#uploads?.removeUnnamed(filesOf(part.filter((_, at) => isLeft(result.outcomes[at] ?? "refused"))));
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
        const answer = await this.#target.send(body);
        isUnanswered = false;
        // A repeated batch adds the files uploaded since to the stored chat.
        result = result ? { ...result, problems: answer.problems } : answer;
      } while (sent < files.length && !result.outcomes.every(isLeft));
      return result;
    } catch (error) {
      // Without an answer the server may import the chats still, and they name the files.
      if (!isUnanswered || !this.#target.mayComplete(error)) await this.#uploads?.removeUnnamed(files);
      throw error;
    }
  }
}

const filesOf = (chats: readonly Waiting[]): NamedFile[] => chats.flatMap(({ files }) => files);

/** Whether the account does not have the chat after an import. */
const isLeft = (outcome: ImportOutcome): boolean => outcome === "refused" || outcome === "deleted";

/** Size in UTF-8, as it is sent. */
const bytesOf = (text: string) => utf8Of(text).length;

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
