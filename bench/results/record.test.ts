import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunRecord, readLastRecord, saveRecord } from "./record.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-records-"));
});
afterEach(() => rm(folder, { recursive: true }));

const bench = (value: number) => ({ commit: "abc", seconds: 1, rows: [{ name: "a", value, unit: "ms" as const }] });
const machine = { processor: "A processor", cores: 2, memoryGb: 24, system: "Linux 6.1" };
const day = (measuredOn: string, benches: RunRecord["benches"]): RunRecord => ({
  measuredOn,
  machine,
  versions: { Node: "24.1.0" },
  benches,
});

it("stores one record a day, with the last measurement of each bench", () => {
  expect(readLastRecord(folder)).toBeUndefined();
  saveRecord(day("2026-01-02", { start: bench(1), words: bench(2) }), folder);
  saveRecord(day("2026-01-02", { start: bench(3) }), folder);
  expect(readLastRecord(folder)?.benches).toEqual({ start: bench(3), words: bench(2) });
  saveRecord(day("2026-01-11", { words: bench(4) }), folder);
  const from = { day: "2026-01-02", processor: "A processor" };
  const carried = { start: { ...bench(3), from }, words: bench(4) };
  expect(readLastRecord(folder)).toMatchObject({ measuredOn: "2026-01-11", benches: carried });
  saveRecord(day("2026-01-12", { words: bench(5) }), folder);
  const { start, words } = readLastRecord(folder)?.benches ?? {};
  expect([start, words?.from?.day]).toEqual([{ ...bench(3), from }, undefined]);
});
