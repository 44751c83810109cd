import { ConfigError, parseConfig } from "../../../config/config.ts";
import { type Command, Refusal } from "../../command.ts";
import { hostOf } from "../../installation.ts";
import { sumRows } from "../digest.ts";
import { ACCEPTS_NEW_SECRET } from "../refuse-unreadable.ts";
import { move } from "./move.ts";

export const moveCommand: Command = {
  name: "move",
  usage: "--to postgres://… [--accept-new-secret]",
  summary: "Copies everything from the SQLite file to an empty PostgreSQL database, and compares it row by row.",
  details: [
    "The server must be stopped. An interrupted move continues when the same command is run again.",
    "The SQLite file and the attached files do not change; with DATABASE_URL set, the server no longer uses them.",
    "--accept-new-secret  moves keys of connections too that the secret of the installation does not open",
  ],
  options: { to: { type: "string" }, [ACCEPTS_NEW_SECRET]: { type: "boolean" } },
  async run(call) {
    const to = call.text("to");
    const { config, secrets } = call.configuration();
    if (to === undefined) throw new Refusal("Usage: move --to postgres://…", "usage");
    if (secrets.databaseUrl) throw new Refusal("DATABASE_URL is already set: unset it to move away from SQLite.");
    const target = readTarget(to);
    call.print(`Copies the database of ${config.dataDir} to ${hostOf(target)}.`);
    const { counts, isResumed, attached, missing } = await move(call, target);
    const rows = sumRows(counts);
    return {
      data: { rows, tables: counts, isResumed, attached: { files: attached, missing } },
      lines: [
        `${rows} rows of ${counts.length} tables and ${attached} attached files are copied and compared.`,
        ...(missing.length > 0 ? [`${missing.length} attached files have no bytes here, and none there.`] : []),
        "Set DATABASE_URL to the new database, and keep the data folder: it still stores the secret, and mails if there is no mail server.",
      ],
    };
  },
};

/** Parses the URL of the target like the server does. @throws Refusal if it is no URL of PostgreSQL */
function readTarget(to: string): string {
  try {
    return parseConfig({ DATABASE_URL: to }).secrets.databaseUrl ?? to;
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new Refusal("--to must be a postgres:// or postgresql:// URL.", "usage", { cause });
  }
}
