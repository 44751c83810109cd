import { expect } from "vitest";
import type { Database } from "../../server/database/schema.ts";
import { readCounters } from "./read-counters.ts";

/** Expects the counters of stored bytes to equal the sum of the stored messages, files and links, for every chat and account. */
export async function expectExactCounters(database: Database): Promise<void> {
  const { stored, counted } = await readCounters(database);
  expect(stored).toEqual(counted);
}
