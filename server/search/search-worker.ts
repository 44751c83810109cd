import { parentPort, workerData } from "node:worker_threads";
import { openReader } from "../database/open.ts";
import { findHits } from "./find-hits.ts";
import type { ThreadAnswer, ThreadRequest } from "./search-thread.ts";

/** Worker thread of {@link SearchThread}: answers searches in sequence from the SQLite file. */
const database = await openReader(String(workerData));
parentPort?.on("message", async ({ id, userId, query }: ThreadRequest) => {
  const answer = await findHits(database, userId, query).then(
    (result): ThreadAnswer => ({ id, result }),
    (error: unknown): ThreadAnswer => ({ id, failed: error instanceof Error ? error.message : String(error) }),
  );
  parentPort?.postMessage(answer);
});
