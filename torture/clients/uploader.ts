import type { Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import type { Random } from "../../testing/app/random.ts";
import { ClientError, persist } from "../bounded.ts";
import type { Harness } from "../harness.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { Life } from "./live-through.ts";
import { Person } from "./person.ts";

/** Size of the largest file. Texts of this size are read in the process of documents. */
const LARGEST = 400_000;
/** Unsent files of one uploader; an account holds at most 100. */
const MAX_UNSENT = 20;
const SCRIPT = { pieces: 2, paceMs: 20 };
/** A last piece is answered when the file was read, perhaps after those of other accounts. */
const ANSWER_MS = 30_000;
/** Without a pause: each attempt sends the next piece. */
const AT_ONCE = { pauseMs: 0 };

/** A file of an uploader. `bytes`: null once it was removed; `isSent`: a message names it. */
type FileRecord = { id: string; bytes: Buffer | null; isSent: boolean };

/** Simulates a user who uploads files in pieces, and sends or removes some of them. Its chat has an account of its own. */
export class Uploader implements Life {
  readonly chat: ChatRecord;
  /** Number of files that were ready. */
  done = 0;
  readonly #files: FileRecord[] = [];
  readonly #harness: Harness;
  readonly #random: Random;
  readonly #token: string;

  private constructor(harness: Harness, random: Random, chat: ChatRecord) {
    this.#harness = harness;
    this.#random = random;
    this.chat = chat;
    this.#token = harness.client.tokenOf(chat);
  }

  static async create(harness: Harness, random: Random): Promise<Uploader> {
    return new Uploader(harness, random, await harness.client.createChat());
  }

  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const file = await this.upload();
      const choice = this.#random.between(0, 9);
      if (choice < 3) await this.#remove(file);
      else if (choice < 6) await this.#send(file);
      await this.#removeOldest();
    }
  }

  /** Compares every file with the stored one. */
  async check(): Promise<void> {
    const { client, report } = this.#harness;
    for (const { id, bytes, isSent } of this.#files) {
      const answer = await client.openOnceTaken({ method: "GET", path: filePaths.file(id), token: this.#token });
      const stored = Buffer.concat(await answer.toArray());
      const isAsExpected = bytes === null ? answer.statusCode === 404 : stored.equals(bytes);
      const detail = `file ${id}, sent ${isSent}: status ${answer.statusCode}, ${stored.length} bytes`;
      report.check("an acknowledged file survives kills, and a removed one is gone", isAsExpected, detail);
    }
  }

  /** Uploads a file in pieces until it is ready. */
  async upload(size = this.#random.between(1, LARGEST)): Promise<FileRecord> {
    const id = crypto.randomUUID();
    const bytes = Buffer.from(`${id}\n`.repeat(Math.ceil(size / (id.length + 1))));
    let at = 0;
    await persist(
      `file ${id} was not ready`,
      async () => {
        const { isReady, stored } = await this.#putPiece(id, bytes, at);
        at = stored;
        return isReady;
      },
      AT_ONCE,
    );
    const file = { id, bytes, isSent: false };
    this.#files.push(file);
    this.done++;
    return file;
  }

  /** Uploads a file of the largest size. */
  uploadLargest(): Promise<FileRecord> {
    return this.upload(LARGEST);
  }

  /** Sends the piece from position `at` on, or asks for the state if all bytes are stored. */
  async #putPiece(id: string, bytes: Buffer, at: number): Promise<{ isReady: boolean; stored: number }> {
    const path = filePaths.file(id);
    const end = Math.min(at + this.#random.between(1, LARGEST), bytes.length);
    const isAsking = at >= bytes.length;
    const range = isAsking ? `bytes */${bytes.length}` : `bytes ${at}-${end - 1}/${bytes.length}`;
    const headers = { "content-range": range, "x-file-name": `${id}.txt` };
    const piece = isAsking ? new Uint8Array() : bytes.subarray(at, end);
    const call = { method: "PUT", path, headers, token: this.#token, bytes: piece, timeoutMs: ANSWER_MS };
    const { status, body } = await this.#harness.client.jsonOnceTaken<Upload & { code?: string }>(call);
    if (status === 200) return { isReady: body.file !== undefined, stored: body.stored };
    const isMoved = status === 409 && body.code === "upload-moved";
    if (!isMoved) throw new ClientError(`PUT ${path} of ${range} answered ${status} ${JSON.stringify(body)}`);
    // A piece whose answer was lost has moved the upload.
    return { isReady: false, stored: await this.#offsetOf(path) };
  }

  async #offsetOf(path: string): Promise<number> {
    const answer = await this.#harness.client.openOnceTaken({ method: "HEAD", path, token: this.#token });
    answer.resume();
    return Number(answer.headers["upload-offset"] ?? 0);
  }

  async #remove(file: FileRecord): Promise<void> {
    await this.#harness.client.jsonOnceTaken({ method: "DELETE", path: filePaths.file(file.id), token: this.#token });
    file.bytes = null;
  }

  /** Removes the oldest unsent file if there are too many. */
  async #removeOldest(): Promise<void> {
    const unsent = this.#files.filter(({ bytes, isSent }) => bytes !== null && !isSent);
    const [oldest] = unsent;
    if (oldest && unsent.length > MAX_UNSENT) await this.#remove(oldest);
  }

  async #send(file: FileRecord): Promise<void> {
    const { client, provider, report } = this.#harness;
    const turn = new Turn(this.chat.id, provider.ask(SCRIPT));
    turn.files = [file.id];
    this.chat.turns.push(turn);
    await client.send(turn);
    await new Person(this.#harness, this.#random.fork("settle")).settle(turn);
    file.isSent = true;
    const { messages } = await client.openChat(this.chat.id);
    const ids = messages.flatMap(({ parts = [] }) => parts.map(({ id }) => id));
    report.check(
      "a message names its file once",
      ids.filter((id) => id === file.id).length === 1,
      `chat ${this.chat.id}: ${ids.join()}`,
    );
  }
}
