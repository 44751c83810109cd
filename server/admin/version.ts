import { findSchemaState, type SchemaState } from "../database/migrate.ts";
import { openAsItIs } from "../database/open.ts";
import type { Call, Command } from "./command.ts";

export const version: Command = {
  name: "version",
  usage: "",
  summary: "Tells the version of the program, and how far its database is.",
  async run(call) {
    const { secrets } = call.configuration();
    const kind = secrets.databaseUrl ? "postgresql" : "sqlite";
    const state = await stateOf(call);
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

async function stateOf(call: Call): Promise<SchemaState | undefined> {
  const { config, secrets } = call.configuration();
  const settings = { dataDir: config.dataDir, ...(secrets.databaseUrl && { postgresUrl: secrets.databaseUrl }) };
  const database = await openAsItIs(settings).catch(() => undefined);
  return database && findSchemaState(database).finally(() => database.destroy());
}

function inWords({ applied, pending, unknown }: SchemaState): string {
  if (unknown.length > 0) return `newer than this program (${unknown.join(", ")})`;
  if (applied.length === 0) return "empty";
  if (pending.length > 0) return `to be brought up to date at the next start (${pending.join(", ")})`;
  return `up to date (${applied.at(-1)})`;
}
