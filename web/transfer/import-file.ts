import { paths } from "#contract/paths.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  IMPORT_BODY_MAX,
  type ImportResult,
  importResultSchema,
} from "#contract/transfer.ts";
import { parseJson } from "../api/api-error.ts";
import { type ApiError, api, readApiError } from "../api/client.ts";
import { wait } from "../api/wait.ts";
import { ExportScanner, NoExport } from "./export-scanner.ts";

/** Limits of one request: the server handles it within a few seconds, so that the progress moves. */
const CHATS_AT_ONCE = 50;
const CHARS_AT_ONCE = 2_000_000;
/** Room for `,"chats":[]}`, with a margin. */
const FRAME_BYTES = 100;

/** Thrown for a file that cannot be imported at all. */
export class FileRefusal extends Error {
  readonly reason: "not-an-export" | "newer-export";

  constructor(reason: FileRefusal["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

type Progress = (share: number, result: ImportResult) => void;

/**
 * Imports an export in batches; the file may be larger than memory. `onProgress` receives the completed fraction, 0 to
 * 1.
 * @throws FileRefusal, ApiError, and the signal's reason; the chats imported until then remain
 */
export async function importFile(file: Blob, signal: AbortSignal, onProgress: Progress): Promise<ImportResult> {
  const head = await readHead(file);
  const roomBytes = IMPORT_BODY_MAX - bytesOf(head) - FRAME_BYTES;
  const result: ImportResult = { imported: 0, skipped: 0, folders: 0, presets: 0, problems: [] };
  const waiting: Waiting[] = [];
  let chars = 0;
  let place = 0;
  const scanner = new ExportScanner((chat) => {
    place++;
    // The server would refuse the request for its size, and the chats after it would not be imported.
    if (bytesOf(chat) > roomBytes) result.problems.push({ chat: `#${place}`, reason: "too-large" });
    else {
      waiting.push({ chat, place });
      chars += chat.length;
    }
  });
  const sendWaiting = async () => {
    while (waiting.length > 0) {
      const part = takePart(waiting);
      const body = `${head},"chats":[${part.map(({ chat }) => chat).join(",")}]}`;
      addUp(result, withPlaces(await send(body, signal), part));
    }
    chars = 0;
  };
  let bytes = 0;
  for await (const { text, size } of piecesOf(file)) {
    signal.throwIfAborted();
    scanner.push(text);
    bytes += size;
    if (waiting.length >= CHATS_AT_ONCE || chars >= CHARS_AT_ONCE) {
      await sendWaiting();
      onProgress(bytes / file.size, result);
    }
  }
  // Sent without chats too: the head may contain folders or presets.
  if (waiting.length === 0) addUp(result, await send(`${head},"chats":[]}`, signal));
  await sendWaiting();
  onProgress(1, result);
  return result;
}

/** Size in UTF-8, as it is sent. */
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

type Waiting = { chat: string; place: number };

/** The server names a chat without a title by its position in the batch; replaces it by the position in the file. */
function withPlaces(result: ImportResult, part: Waiting[]): ImportResult {
  const inFile = (chat: string) => {
    const place = /^#(\d+)$/.test(chat) ? part[Number(chat.slice(1)) - 1]?.place : undefined;
    return place === undefined ? chat : `#${place}`;
  };
  return { ...result, problems: result.problems.map((problem) => ({ ...problem, chat: inFile(problem.chat) })) };
}

/** Removes as many chats from the front as one request may have. */
function takePart(waiting: Waiting[]): Waiting[] {
  let chars = 0;
  let count = 0;
  for (const { chat } of waiting) {
    if (count > 0 && (count >= CHATS_AT_ONCE || chars + chat.length > CHARS_AT_ONCE)) break;
    chars += chat.length;
    count++;
  }
  return waiting.splice(0, count);
}

/** Returns everything but the chats, as JSON without its end. @throws FileRefusal */
async function readHead(file: Blob): Promise<string> {
  const scanner = new ExportScanner(() => {});
  try {
    for await (const { text } of piecesOf(file)) scanner.push(text);
  } catch (error) {
    if (error instanceof NoExport) throw new FileRefusal("not-an-export");
    throw error;
  }
  const parsed = parseJson(scanner.head);
  if (typeof parsed !== "object" || parsed === null || !("chats" in parsed)) throw new FileRefusal("not-an-export");
  const { chats: _, ...head }: Record<string, unknown> = { ...parsed };
  if (head.format !== EXPORT_FORMAT || typeof head.version !== "number") throw new FileRefusal("not-an-export");
  if (head.version > EXPORT_VERSION) throw new FileRefusal("newer-export");
  return JSON.stringify(head).slice(0, -1);
}

async function* piecesOf(file: Blob): AsyncGenerator<{ text: string; size: number }> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield { text: decoder.decode(read.value, { stream: true }), size: read.value.length };
  }
  yield { text: decoder.decode(), size: 0 };
}

/** Sends a batch. Retries are safe: the server skips chats that it has already. */
async function send(body: string, signal: AbortSignal): Promise<ImportResult> {
  for (let tries = 1; ; tries++) {
    const response = await api.open(paths.import, { method: "POST", body, signal });
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

function addUp(sum: ImportResult, part: ImportResult): void {
  sum.imported += part.imported;
  sum.skipped += part.skipped;
  sum.folders += part.folders;
  sum.presets += part.presets;
  // Every batch repeats the problems of folders and presets beyond the limit.
  const known = new Set(sum.problems.map(({ chat, reason }) => `${reason} ${chat}`));
  for (const problem of part.problems) {
    const isFiling = problem.reason === "folder" || problem.reason === "preset";
    if (!isFiling || !known.has(`${problem.reason} ${problem.chat}`)) sum.problems.push(problem);
  }
}
