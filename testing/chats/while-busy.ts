import type { TestApp } from "../app/start-test-app.ts";
import { waitFor } from "../app/wait-for.ts";

/** PostgreSQL's error code of a deadlock. */
const DEADLOCK = '"40P01"';

/**
 * Repeats a call while the database is busy (503): one of many concurrent transactions may wait too long for a row lock
 * on a slow machine, and has then changed nothing. @throws if the cause is a deadlock
 */
export function whileBusy(app: Pick<TestApp, "logLines">, call: () => Promise<Response>): Promise<Response> {
  return waitFor("a database that is not busy", async () => {
    const response = await call();
    if (response.status !== 503) return response;
    if (app.logLines.some((line) => line.includes(DEADLOCK))) throw new Error("Two transactions had a deadlock");
    return undefined;
  });
}
