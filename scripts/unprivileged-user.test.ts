import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unprivilegedOwner } from "./unprivileged-user.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-unprivileged-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a script continues as the same user with a message if another user is refused", () => {
  // Root fails because a path is missing, other users because they may not change owners.
  const { user, refusal } = unprivilegedOwner([folder, join(folder, "missing")], true);
  expect([user, refusal]).toEqual([{}, expect.stringContaining("as the same user")]);
  expect(statSync(folder).uid).toBe(process.getuid?.());
});

test("a script gives the folder to the unprivileged user, and without root there is none, and no message", () => {
  const { user, refusal } = unprivilegedOwner([folder]);
  expect(statSync(folder).uid).toBe(user.uid ?? process.getuid?.());
  if (process.getuid?.() !== 0) expect(refusal).toBeUndefined();
  else expect(user.uid === undefined).toBe(refusal !== undefined);
});
