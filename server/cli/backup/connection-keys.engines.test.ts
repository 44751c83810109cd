import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OwnerOfConnections } from "../../../testing/accounts/connections.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";

const KEY = "sk-backup-canary-0123456789";

const backups = setUpBackups();
const { run, start } = backups;

async function connect(): Promise<void> {
  await using app = await start();
  const owner = new OwnerOfConnections(app, await signUpAs(app, "owner"));
  await owner.create({ kind: "openai", name: "Away", baseUrl: "http://127.0.0.1:9/v1", apiKey: KEY, isEnabled: false });
}

it("N6 a backup with its secret restores keys of connections, and has none in plain text", async () => {
  await connect();
  await run(["backup", backups.file]);
  expect((await readFile(backups.file)).includes(KEY)).toBe(false);
  const target = await backups.createTarget();
  expect((await run(["restore", backups.file], target)).json.ok).toBe(true);
  await using app = await start(target);
  const owner = new OwnerOfConnections(app, await signUpAs(app, "owner"));
  expect((await owner.list()).connections).toMatchObject([{ slug: "AWAY", isUnreadable: false, keyEnd: "6789" }]);
});

it("N6 a backup without the secret reveals no key, and a start on its restore stops and names the connection", async () => {
  await connect();
  const { json } = await run(["backup", backups.file, "--without-secret"]);
  expect(json.files).not.toContain("secret-key");
  const target = await backups.createTarget();
  expect((await run(["restore", backups.file], target)).json.ok).toBe(true);
  await rm(join(target.dataDir, "secret-key"), { force: true });
  await expect(start(target)).rejects.toThrow(/SECRET_KEY does not open the stored keys of Away/);
});
