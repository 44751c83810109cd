import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compareRecords, readRecords } from "./compare-records.ts";
import type { TestRecord } from "./record.ts";

const recordOf = (day: string, seconds: number): TestRecord => ({
  commit: `${day.replaceAll("-", "")}abcdef`,
  isClean: true,
  startedAt: `${day}T10:00:00.000Z`,
  length: "test",
  finishedAt: `${day}T10:10:00.000Z`,
  seconds,
  machine: { cores: 2, processor: "any", memoryMb: 1000, node: "v24.0.0" },
  stages: [
    {
      name: "Browser",
      passed: 1,
      failed: 0,
      skipped: 0,
      seconds,
      processorSeconds: 400,
      machine: { busy: 90, stolen: 0, all: 100 },
      yardstick: 0.3,
    },
  ],
});

test("compares the stages of records, oldest first", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "test-b.json"), JSON.stringify(recordOf("2026-11-28", 500)));
  writeFileSync(join(folder, "test-a.json"), JSON.stringify(recordOf("2026-11-27", 600)));
  writeFileSync(join(folder, "proof-a.json"), JSON.stringify({ ...recordOf("2026-11-29", 1), length: "proof" }));
  expect(compareRecords(readRecords("test", [folder, join(folder, "absent")]))).toEqual([
    ["", "2026-11-27T10:00 20261127", "2026-11-28T10:00 20261128"],
    ["Browser", "600 s (400, 90 % busy)", "500 s (400, 90 % busy)"],
    ["whole run", "600 s", "500 s"],
    ["yardstick", "0.30 s", "0.30 s"],
  ]);
});
