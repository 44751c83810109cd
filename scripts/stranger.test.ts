import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { strangerOwning } from "./stranger.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-stranger-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("who is refused another user goes on as the same one, and says so", () => {
  // Root is refused for what is not there, all others for whom they are.
  const { user, refusal } = strangerOwning([folder, join(folder, "missing")], true);
  expect([user, refusal]).toEqual([{}, expect.stringContaining("as the same user")]);
  expect(statSync(folder).uid).toBe(process.getuid?.());
});

test("the folder is the stranger's, where there is one; who is not root has none, and nothing is said", () => {
  const { user, refusal } = strangerOwning([folder]);
  expect(statSync(folder).uid).toBe(user.uid ?? process.getuid?.());
  if (process.getuid?.() !== 0) expect(refusal).toBeUndefined();
  else expect(user.uid === undefined).toBe(refusal !== undefined);
});
