import { cpus } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { createPostgresDatabase } from "../testing/test-database.ts";
import { measureIdleStreams } from "./idle-streams.ts";
import { measureSearch } from "./search.ts";
import { measureStart } from "./start.ts";
import { measureStreamedWords } from "./streamed-words.ts";

/** By their names for `--only`. */
const measurements: Record<string, () => Promise<void>> = {
  start: measureStart,
  "streamed-words": measureStreamedWords,
  "idle-streams": measureIdleStreams,
  search: measureSearches,
};

const { values: options } = parseArgs({
  options: { only: { type: "string", multiple: true }, rows: { type: "string", default: "100000" } },
});

console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`);
for (const name of options.only ?? Object.keys(measurements)) {
  const measure = measurements[name];
  if (!measure) throw new Error(`--only takes ${Object.keys(measurements).join(", ")}`);
  await measure();
}

/** `--rows` messages on SQLite, and on PostgreSQL where it is reachable. */
async function measureSearches(): Promise<void> {
  const rows = Number(options.rows);
  await measureSearch(rows);
  const ground = await createPostgresDatabase().catch(() => undefined);
  if (!ground) return console.log("PostgreSQL is not reachable at TEST_DATABASE_URL: not measured");
  await using _ground = ground;
  await measureSearch(rows, ground.url);
}
