import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MailFiles } from "./mail-files.ts";

it("the sweep of mail files reads their owners in batches, and removes only mails of deleted accounts", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-mails-"));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(dataDir, { recursive: true }));
  const files = new MailFiles(dataDir);
  await mkdir(files.folder);
  const owners = Array.from({ length: 1201 }, (_, at) => `owner${at}`);
  for (const owner of [...owners, null]) await writeFile(files.pathOf({ id: "mail", user_id: owner }), "");
  const asked: string[][] = [];
  await files.removeOthers(async (userIds) => {
    asked.push(userIds);
    return userIds.filter((owner) => owner.endsWith("7"));
  });
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(500);
  expect(asked.flat().sort()).toEqual([...owners].sort());
  const living = owners.filter((owner) => owner.endsWith("7"));
  expect((await readdir(files.folder)).sort()).toEqual(
    ["mail.eml", ...living.map((owner) => `mail_${owner}.eml`)].sort(),
  );
});
