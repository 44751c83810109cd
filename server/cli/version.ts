import type { SchemaState } from "../database/migrate.ts";
import type { Command } from "./command.ts";
import { findState } from "./open-installation.ts";

export const version: Command = {
  name: "version",
  usage: "",
  summary: "Tells the version of the program, and how far its database is.",
  async run(call) {
    const { secrets } = call.configuration();
    const kind = secrets.databaseUrl ? "postgresql" : "sqlite";
    const state = await findState(call);
    const { version: program } = call.world;
    const databaseState = state && {
      kind,
      newest: state.applied.at(-1) ?? null,
      pending: state.pending,
      unknown: state.unknown,
      isHalfCopied: state.isHalfCopied,
    };
    return {
      data: { version: program, database: databaseState ?? null },
      lines: [
        `Parley ${program}`,
        state ? `${kind}: ${inWords(state)}` : "There is no database yet.",
        ...(state && needsBackup(state) && secrets.databaseUrl ? [BACKUP_FIRST] : []),
      ],
    };
  },
};

const BACKUP_FIRST =
  "No copy of PostgreSQL is kept when that is done: make a backup before, by the command “backup FILE” of this version.";

const needsBackup = ({ applied, pending, isHalfCopied }: SchemaState) =>
  applied.length > 0 && pending.length > 0 && !isHalfCopied;

function inWords({ applied, pending, unknown, isHalfCopied }: SchemaState): string {
  if (isHalfCopied) return "the target of a restore or a move that has not ended";
  if (unknown.length > 0) return `newer than this program (${unknown.join(", ")})`;
  if (applied.length === 0) return "empty";
  if (pending.length > 0) return `to be brought up to date at the next start (${pending.join(", ")})`;
  return `up to date (${applied.at(-1)})`;
}
