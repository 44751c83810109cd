import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { ServerProcess } from "../../testing/servers/server-process.ts";
import { mountSmallDisk } from "../../testing/servers/small-disk.ts";
import { registerAt } from "../arrangements/accounts.ts";
import { ClientError, persist } from "../bounded.ts";
import { ChatClient } from "../clients/chat-client.ts";
import type { Fault, Harness } from "../harness.ts";
import type { Guarantee } from "../report.ts";

const MEGABYTES = 24;
const FILE_BYTES = 1_200_000;
const PIECE_BYTES = 200_000;
/** Pieces that are stored before the disk is full. */
const piecesBefore = [0, 3, 5];

const refusal: Guarantee = {
  claim: "a piece of a file is refused while the disk is full after",
  allowed: 2000,
  unit: "ms",
};

/** R16: the disk of a separate server fills up during an upload, which is continued once there is space. */
export const fullDiskUploads: Fault = async (harness) => {
  const disk = await mountSmallDisk(MEGABYTES);
  if (!disk) return harness.report.skip("A full disk: only root on Linux can mount a small disk");
  await using _disk = disk;
  const env = { ...harness.arrangement.env, MIN_FREE_DISK_MB: "0" };
  await using server = new ServerProcess("small", disk.folder, env, `${harness.arrangement.folder}/small-uploads.log`);
  await server.start();
  const account = await registerAt(server);
  const client = new ChatClient({ url: server.url, accounts: [account] });
  for (let round = 0; round < harness.extent.rounds; round++) {
    for (const before of piecesBefore) await uploadAcross({ ...harness, client }, disk, before);
  }
  await checkStores(harness, server.dataDir, env);
};

type Disk = { fill(): Promise<void>; makeRoom(): Promise<void> };

/** Uploads a file; its disk is full after `before` pieces, until space is freed. */
async function uploadAcross({ client, report, random }: Harness, disk: Disk, before: number): Promise<void> {
  const path = filePaths.file(crypto.randomUUID());
  const bytes = Buffer.from(`${random.between(0, 1e9)} `.repeat(FILE_BYTES)).subarray(0, FILE_BYTES);
  const put = (at: number) => {
    const end = Math.min(at + PIECE_BYTES, FILE_BYTES);
    const range = at < FILE_BYTES ? `bytes ${at}-${end - 1}/${FILE_BYTES}` : `bytes */${FILE_BYTES}`;
    const headers = { "content-range": range, "x-file-name": "words.txt" };
    return client.json<Upload>({ method: "PUT", path, headers, bytes: bytes.subarray(at, end) });
  };
  let stored = 0;
  await persist("the pieces before the full disk were not stored", async () => {
    if (stored < before * PIECE_BYTES) ({ stored } = (await put(stored)).body);
    return stored >= before * PIECE_BYTES;
  });
  await disk.fill();
  report.count("full disk during an upload");
  const begunAt = performance.now();
  const refused = await put(stored);
  report.measure(refusal, performance.now() - begunAt);
  const detail = `answered ${refused.status} ${JSON.stringify(refused.body)} after ${stored} bytes`;
  // The database cannot begin a file; the folder cannot continue one.
  const isRefused = refused.status === 507 || (before === 0 && refused.status === 503);
  report.check("a piece of a file is refused with 507 while the disk is full", isRefused, detail);
  const offset = async () => {
    const answer = await client.openOnceTaken({ method: "HEAD", path });
    answer.resume();
    return answer.statusCode === 404 ? 0 : Number(answer.headers["upload-offset"]);
  };
  const kept = await offset();
  report.check("no acknowledged byte of a file is lost on a full disk", kept >= stored, `${kept} of ${stored} bytes`);
  await disk.makeRoom();
  let at = await offset();
  await persist("a file was not ready after space was freed", async () => {
    const { status, body } = await put(at);
    if (status !== 200) throw new ClientError(`an upload is not continued after space is freed: ${status}`);
    at = body.stored;
    return body.file;
  });
  const answer = await client.openOnceTaken({ method: "GET", path });
  const download = Buffer.concat(await answer.toArray());
  report.check("a file is whole after a full disk", download.equals(bytes), `${download.length} bytes`);
  await client.jsonOnceTaken({ method: "DELETE", path });
}

/** Compares rows and bytes: every file was removed, so that nothing may be left. */
async function checkStores({ report }: Harness, dataDir: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { json } = await admin({ dataDir, env }, ["files", "verify", "--json"]);
  const isSound = JSON.stringify([json.files, json.missing, json.damaged, json.strays]) === "[0,[],[],0]";
  report.check("after a full disk rows and bytes of files agree", isSound, JSON.stringify(json));
  const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  report.check("a full disk leaves no bytes without a file", left.length === 0, left.join());
}
