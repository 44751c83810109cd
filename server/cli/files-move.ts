import { ConfigError, parseConfig } from "../config/config.ts";
import type { Database } from "../database/schema.ts";
import { findByKeys, isReady } from "../files/attached-file-store.ts";
import type { FileStore } from "../files/stores/file-store.ts";
import { openStores, type StoresSettings, storesSettingsOf } from "../files/stores/open-stores.ts";
import { copyFile, readReadyFiles } from "./backup/attached-files.ts";
import { isServed, removeFiles } from "./backup/copy-store.ts";
import { type Call, type Command, Refusal } from "./command.ts";
import { lockOutServers, openCurrent } from "./open-installation.ts";

const LOCAL = "local";

/** Command that moves the bytes of attached files to the store of the settings. */
export const filesMove: Command = {
  name: "files move",
  usage: "--from local|s3://… [--remove-missing] [--yes]",
  summary: "Moves the bytes of attached files from another store to that of the settings, and compares them.",
  details: [
    "Servers must be stopped. An interrupted move continues when the same command is run again.",
    "--from local      from the data folder, or from PostgreSQL where DATABASE_URL is set",
    "--from s3://…     from the server of a former FILES_URL, with the keys of the settings",
    "--remove-missing  removes the attached files whose bytes are in neither store, also from their messages",
    "Bytes that are moved, or belong to no attached file, are deleted from the other store.",
  ],
  options: { from: { type: "string" }, "remove-missing": { type: "boolean" } },
  async run(call) {
    const [from, to] = [sourceOf(call), storesSettingsOf(call.configuration())];
    using _lock = await lockOutServers(call);
    await using opened = new AsyncDisposableStack();
    const database = opened.adopt(await openCurrent(call), (db) => db.destroy());
    if (await isServed(database)) {
      throw new Refusal("Servers are running. Stop them first; a killed server counts as running for 5 s.");
    }
    const source = opened.use(await openStores({ database, ...from }));
    const target = opened.use(await openStores({ database, ...to }));
    if (source.location === target.location) throw new Refusal(`The attached files are in ${target.location} already.`);
    await source.check();
    await target.check();
    await call.confirm(`Moves the attached files from ${source.location} to ${target.location}.`);
    const { moved, present, missing } = await moveFiles(database, source.files, target.files);
    const removed = call.has("remove-missing") ? missing.length : 0;
    if (removed > 0) await removeFiles(database, missing);
    return {
      data: { moved, present, missing, removed },
      lines: [
        `${moved} attached files are moved and compared; ${present} were there already.`,
        ...missing.map((key) => `missing: ${key}`),
        ...(removed > 0 ? [`${removed} attached files without bytes are removed.`] : []),
      ],
      ...(missing.length > removed && { word: "unsound" as const }),
    };
  },
};

/** Returns the settings of the other store. @throws Refusal */
function sourceOf(call: Call): StoresSettings {
  const { config, secrets } = call.configuration();
  const { s3: _, ...local } = storesSettingsOf({ config, secrets });
  const from = call.text("from");
  if (from === undefined) throw new Refusal("Usage: files move --from local|s3://…", "usage");
  if (from === LOCAL) return local;
  try {
    const { filesAccessKeyId: FILES_ACCESS_KEY_ID, filesSecretAccessKey: FILES_SECRET_ACCESS_KEY } = secrets;
    const parsed = parseConfig({ FILES_URL: from, FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY });
    return { ...storesSettingsOf(parsed), ...local };
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const sentence = `--from must be local, or as FILES_URL with its keys:\n${cause.problems.join("\n")}`;
    throw new Refusal(sentence, "usage", { cause });
  }
}

/** `moved`: number of files that are copied. `present`: of those without bytes in the source. `missing`: in neither. */
type MovedBytes = { moved: number; present: number; missing: string[] };

async function moveFiles(database: Database, from: FileStore, to: FileStore): Promise<MovedBytes> {
  const done: MovedBytes = { moved: 0, present: 0, missing: [] };
  for await (const { key } of readReadyFiles(database)) {
    if (await copyFile(key, from, to)) {
      await from.delete(key);
      done.moved++;
    } else if ((await to.sizeOf(key)) !== undefined) done.present++;
    else done.missing.push(key);
  }
  // No server sweeps the other store any more.
  for await (const { key } of from.list()) {
    const row = (await findByKeys(database, [key])).get(key);
    if (!row || !isReady(row)) await from.delete(key);
  }
  await from.removeLeftovers(Date.now());
  return done;
}
