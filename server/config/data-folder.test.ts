import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeDataFolder } from "./data-folder.ts";
import { deriveKey, loadSecretKey } from "./secret-key.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-folder-"));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it("R17 a data folder admits one server at a time", async () => {
  const dataDir = join(folder, "data");
  const lock = await takeDataFolder(dataDir);
  await expect(takeDataFolder(dataDir)).rejects.toThrow(/Another server is running on .*data/);
  lock[Symbol.dispose]();
  (await takeDataFolder(dataDir))[Symbol.dispose]();
  expect(await modeOf(dataDir)).toBe(0o700);
});

it("E2 creates a secret key once, readable by its owner only", async () => {
  const made = await loadSecretKey(folder);
  expect(Buffer.from(made, "base64url").length).toBeGreaterThanOrEqual(32);
  expect(await loadSecretKey(folder)).toBe(made);
  const other = join(folder, "other");
  await mkdir(other);
  expect(await loadSecretKey(other)).not.toBe(made);
  expect(await modeOf(join(folder, "secret-key"))).toBe(0o600);
  expect(await loadSecretKey(folder, "the given one")).toBe("the given one");
});

it("E2 a damaged secret key stops the start", async () => {
  await writeFile(join(folder, "secret-key"), "");
  await expect(loadSecretKey(folder)).rejects.toThrow(/damaged/);
});

it("derives a key for each purpose from the secret", () => {
  expect(deriveKey("secret", "one")).not.toEqual(deriveKey("secret", "two"));
  expect(deriveKey("secret", "one")).toEqual(deriveKey("secret", "one"));
});
