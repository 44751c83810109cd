import { parentPort, workerData } from "node:worker_threads";
import { openReader } from "../database/open.ts";
import { findHits } from "./find-hits.ts";
import type { ThreadAnswer, ThreadRequest } from "./search-thread.ts";

/** The thread of {@link SearchThread}: answers one search after the other from the file that it was given. */
const database = await openReader(String(workerData));
parentPort?.on("message", async ({ id, userId, query }: ThreadRequest) => {
  const answer = await findHits(database, userId, query).then(
    (result): ThreadAnswer => ({ id, result }),
    (error: unknown): ThreadAnswer => ({ id, failed: error instanceof Error ? error.message : String(error) }),
  );
  parentPort?.postMessage(answer);
});
