import { afterEach, expect, test, vi } from "vitest";
import { MemoryRecords } from "../../storage/record-store.ts";
import { isExpired, StoredFiles } from "./stored-files.ts";

const HOUR = 60 * 60_000;
const record = (createdAt = Date.now()) => ({ name: "a.txt", isPrepared: true, createdAt });
const file = { id: "f", name: "a.txt", type: "text/plain", size: 5 };

afterEach(() => vi.restoreAllMocks());

test("a file is stored with its bytes, and with what the server has read", async () => {
  const records = new MemoryRecords();
  await new StoredFiles(records).write("f", record(1), new Blob(["Hello"]));
  await new StoredFiles(records).writeReady("f", file);
  const found = await new StoredFiles(records).read("f");
  expect(found?.record).toEqual({ ...record(1), file });
  expect(await found?.bytes.text()).toBe("Hello");
  expect(await new StoredFiles(records).read("g")).toBeNull();
});

test("a removed file leaves nothing, also if the server reads it afterwards", async () => {
  const records = new MemoryRecords();
  const stored = new StoredFiles(records);
  await stored.write("f", record(), new Blob(["Hello"]));
  await stored.remove("f");
  await stored.writeReady("f", file);
  expect(await records.keys()).toEqual([]);
});

test("old files that belong to no draft are removed, and others stay", async () => {
  const records = new MemoryRecords();
  const stored = new StoredFiles(records);
  for (const [id, age] of Object.entries({ named: 5 * HOUR, stray: 5 * HOUR, young: HOUR / 2 }))
    await stored.write(id, record(Date.now() - age), new Blob([id]));
  await stored.sweep((id) => id === "named");
  expect(new Set((await records.keys()).map((key) => key.replace(/\/.*/, "")))).toEqual(new Set(["named", "young"]));
});

test("a file may be gone from the server some time before a day has passed", () => {
  expect(isExpired(record(Date.now() - 22 * HOUR))).toBe(false);
  expect(isExpired(record(Date.now() - 23.5 * HOUR))).toBe(true);
});
