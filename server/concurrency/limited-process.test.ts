import { expect, it } from "vitest";
import { LimitedProcess } from "./limited-process.ts";

it("a process with limits that was killed takes no more requests, though it has not exited", async () => {
  const entry = new URL("../files/documents/document-process.ts", import.meta.url);
  const killed = new LimitedProcess(entry, { maxHeapMb: 64, maxMemoryMb: 512 });
  expect(killed.isEnded).toBe(false);
  const exit = killed.end();
  expect(killed.isEnded).toBe(true);
  await exit;
});
