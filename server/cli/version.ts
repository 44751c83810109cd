import type { SchemaState } from "../database/migrate.ts";
import type { Command } from "./command.ts";
import { findState } from "./open-installation.ts";

export const version: Command = {
  name: "version",
  usage: "",
  summary: "Prints the version of the program and the state of the database.",
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
  "That start does not copy a PostgreSQL database: make a backup first, with the command “backup FILE” of this version.";

const needsBackup = ({ applied, pending, isHalfCopied }: SchemaState) =>
  applied.length > 0 && pending.length > 0 && !isHalfCopied;

function inWords({ applied, pending, unknown, isHalfCopied }: SchemaState): string {
  if (isHalfCopied) return "the target of an unfinished restore or move";
  if (unknown.length > 0) return `newer than this program (${unknown.join(", ")})`;
  if (applied.length === 0) return "empty";
  if (pending.length > 0) return `to be migrated at the next start (${pending.join(", ")})`;
  return `up to date (${applied.at(-1)})`;
}
