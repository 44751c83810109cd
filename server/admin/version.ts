import type { SchemaState } from "../database/migrate.ts";
import type { Command } from "./command.ts";
import { findState } from "./ground.ts";

export const version: Command = {
  name: "version",
  usage: "",
  summary: "Tells the version of the program, and how far its database is.",
  async run(call) {
    const { secrets } = call.configuration();
    const kind = secrets.databaseUrl ? "postgresql" : "sqlite";
    const state = await findState(call);
    const { version: program } = call.world;
    const told = state && {
      kind,
      newest: state.applied.at(-1) ?? null,
      pending: state.pending,
      unknown: state.unknown,
    };
    return {
      data: { version: program, database: told ?? null },
      lines: [`Parley ${program}`, state ? `${kind}: ${inWords(state)}` : "There is no database yet."],
    };
  },
};

function inWords({ applied, pending, unknown }: SchemaState): string {
  if (unknown.length > 0) return `newer than this program (${unknown.join(", ")})`;
  if (applied.length === 0) return "empty";
  if (pending.length > 0) return `to be brought up to date at the next start (${pending.join(", ")})`;
  return `up to date (${applied.at(-1)})`;
}
