import { setTimeout as delay } from "node:timers/promises";
import type { Upload } from "#contract/files.ts";
import { paths } from "#contract/paths.ts";
import type { Random } from "../../testing/app/random.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { startAll } from "../arrangements/arrangement.ts";
import { replyLimits } from "../arrangements/open-arrangement.ts";
import { Person } from "../clients/person.ts";
import type { Fault, Harness } from "../harness.ts";
import { checkAll } from "../ledger/check-all.ts";
import { type ChatRecord, Turn } from "../ledger/turn.ts";
import type { Guarantee } from "../report.ts";

const PEOPLE = 4;
const LARGEST = 400_000;
const SCRIPT = { pieces: 2, paceMs: 20 };

const gone: Guarantee = { claim: "SIGTERM to exit during uploads", allowed: replyLimits.graceMs + 2000, unit: "ms" };

/** A file of a person. `bytes`: null once it was removed; `isSent`: a message names it. */
type FileRecord = { id: string; bytes: Buffer | null; isSent: boolean };

/** A third of the ends are orderly. */
const SIGNALS = ["SIGKILL", "SIGKILL", "SIGTERM"] as const;

/**
 * R3, R4: SIGKILL and SIGTERM at any time of uploading, reading, sending and removing files. In the end every
 * acknowledged file has its bytes, and no bytes are left without a file. No upload delays an orderly end.
 */
export const uploadKills: Fault = async (harness) => {
  const { arrangement, random, report, extent } = harness;
  let isOver = false;
  const people = Array.from({ length: PEOPLE }, (_, at) => new Uploader(harness, random.fork(`uploader ${at}`)));
  const lives = Promise.all(people.map((person) => person.live(() => isOver)));
  for (let count = 0; count < extent.kills; count++) {
    await delay(random.between(20, 500));
    const server = random.pick(arrangement.servers);
    const signal = random.pick(SIGNALS);
    const startedAt = performance.now();
    const code = await server.end(signal);
    report.count(signal);
    if (signal === "SIGTERM") {
      report.measure(gone, performance.now() - startedAt);
      report.check("SIGTERM stops a server with uploads with exit code 0", code === 0, `exit code ${code}`);
    }
    await server.start();
  }
  await startAll(arrangement);
  isOver = true;
  await lives;
  for (const person of people) await person.check();
  await checkAll(
    harness,
    people.flatMap(({ chat }) => chat ?? []),
  );
  await checkStores(harness);
};

/** Compares rows and bytes by the administrator's command. */
async function checkStores({ arrangement, report }: Harness): Promise<void> {
  const [server] = arrangement.servers;
  const { json } = await admin({ dataDir: server.dataDir, env: arrangement.env }, ["files", "verify", "--json"]);
  const found = JSON.stringify(json);
  const isSound = JSON.stringify([json.missing, json.damaged]) === "[[],[]]";
  report.check("after kills every ready file has its bytes", isSound && Number(json.files) > 0, found);
}

/** Uploads files in pieces, and sends or removes some of them. */
class Uploader {
  chat: ChatRecord | undefined;
  readonly #files: FileRecord[] = [];
  readonly #harness: Harness;
  readonly #random: Random;
  #token = "";

  constructor(harness: Harness, random: Random) {
    this.#harness = harness;
    this.#random = random;
  }

  async live(isOver: () => boolean): Promise<void> {
    const chat = await this.#harness.client.createChat();
    this.chat = chat;
    this.#token = this.#harness.client.tokenOf(chat);
    while (!isOver()) {
      const file = await this.#upload();
      const choice = this.#random.between(0, 9);
      if (choice < 3) await this.#remove(file);
      else if (choice < 6) await this.#send(chat, file);
    }
    // On a slow machine the kills may leave no time for a file, and then there is nothing to compare.
    await this.#upload();
  }

  async check(): Promise<void> {
    const { client, report } = this.#harness;
    for (const { id, bytes, isSent } of this.#files) {
      const answer = await client.openOnceTaken({ method: "GET", path: paths.file(id), token: this.#token });
      const stored = Buffer.concat(await answer.toArray());
      const isAsExpected = bytes === null ? answer.statusCode === 404 : stored.equals(bytes);
      const detail = `file ${id}, sent ${isSent}: status ${answer.statusCode}, ${stored.length} bytes`;
      report.check("an acknowledged file survives kills, and a removed one is gone", isAsExpected, detail);
    }
  }

  async #upload(): Promise<FileRecord> {
    const { client } = this.#harness;
    const id = crypto.randomUUID();
    const bytes = Buffer.from(`${id}\n`.repeat(Math.ceil(this.#random.between(1, LARGEST) / (id.length + 1))));
    const path = paths.file(id);
    for (let at = 0; ; ) {
      const end = Math.min(at + this.#random.between(1, LARGEST), bytes.length);
      const isAsking = at >= bytes.length;
      const range = isAsking ? `bytes */${bytes.length}` : `bytes ${at}-${end - 1}/${bytes.length}`;
      const headers = { "content-range": range, "x-file-name": `${id}.txt` };
      const piece = isAsking ? new Uint8Array() : bytes.subarray(at, end);
      const { status, body } = await client.jsonOnceTaken<Upload>({
        method: "PUT",
        path,
        headers,
        token: this.#token,
        bytes: piece,
      });
      if (status === 200 && body.file) break;
      // A piece whose answer was lost has moved the upload.
      at = status === 200 ? body.stored : await this.#offsetOf(path);
    }
    const file = { id, bytes, isSent: false };
    this.#files.push(file);
    return file;
  }

  async #offsetOf(path: string): Promise<number> {
    const answer = await this.#harness.client.openOnceTaken({ method: "HEAD", path, token: this.#token });
    answer.resume();
    return Number(answer.headers["upload-offset"] ?? 0);
  }

  async #remove(file: FileRecord): Promise<void> {
    await this.#harness.client.jsonOnceTaken({ method: "DELETE", path: paths.file(file.id), token: this.#token });
    file.bytes = null;
  }

  async #send(chat: ChatRecord, file: FileRecord): Promise<void> {
    const { client, provider, report } = this.#harness;
    const turn = new Turn(chat.id, provider.ask(SCRIPT));
    turn.files = [file.id];
    chat.turns.push(turn);
    await client.send(turn);
    await new Person(this.#harness, this.#random.fork("settle")).settle(turn);
    file.isSent = true;
    const { messages } = await client.openChat(chat.id);
    const ids = messages.flatMap(({ parts = [] }) => parts.map(({ id }) => id));
    report.check(
      "a message names its file once",
      ids.filter((id) => id === file.id).length === 1,
      `chat ${chat.id}: ${ids.join()}`,
    );
  }
}
