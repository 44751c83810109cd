/** Zips of exported chats with their files. */

import { unzipSync } from "fflate";
import type { AttachedFile } from "#contract/files/files.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ExportDocument, exportSchema, type ImportResult } from "#contract/transfer/transfer.ts";
import type { TestAccount } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { putFile } from "./upload.ts";

/** `files`: bytes by the file's id; `names`: of their entries. */
export type Archive = { document: ExportDocument; files: ReadonlyMap<string, Buffer>; names: readonly string[] };

/** Length of `files/`, and of an id. */
const [FOLDER, ID] = [6, 36];

/** Reads an export that is a zip. */
export async function unpack(response: Response): Promise<Archive> {
  const type = response.headers.get("content-type");
  if (type !== "application/zip") throw new Error(`The export was answered with ${response.status} as ${type}`);
  const entries = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const { "chats.json": json = new Uint8Array(), ...others } = entries;
  const files = new Map(
    Object.entries(others).map(([name, bytes]) => [name.slice(FOLDER, FOLDER + ID), Buffer.from(bytes)]),
  );
  return { document: exportSchema.parse(JSON.parse(Buffer.from(json).toString())), files, names: Object.keys(others) };
}

/** Returns the files that the messages of an export name, in its order. */
export function filesIn({ chats }: Pick<ExportDocument, "chats">): AttachedFile[] {
  const parts = chats.flatMap(({ messages }) => messages.flatMap((message) => message.parts ?? []));
  return parts.filter(({ kind }) => kind === "file") as unknown as AttachedFile[];
}

/** Uploads the files of a zip and imports its chats, as the page does. */
export async function restore(
  app: TestApp,
  { document, files }: Archive,
  { token }: TestAccount,
): Promise<ImportResult> {
  for (const { id, name } of filesIn(document)) {
    const bytes = files.get(id);
    if (bytes) await putFile(app, { token, id, name, bytes });
  }
  return (await (await app.call("POST", transferPaths.import, { token, body: document })).json()) as ImportResult;
}

/** Lists the files that messages of an account name, once for each message. */
export async function namedFiles({ context }: TestApp, { user }: TestAccount): Promise<string[]> {
  const rows = context.database.selectFrom("message_files").select("file_id").where("user_id", "=", user.id);
  return (await rows.orderBy("file_id").execute()).map(({ file_id }) => file_id);
}
