import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import { OwnerOfConnections } from "../../../testing/accounts/connections.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { OwnerOfProviders } from "../../../testing/administration/identity-providers.ts";
import { OwnerOfServers } from "../../../testing/administration/mcp-servers.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";

const KEY = "sk-backup-canary-0123456789";

const UNREADABLE =
  /SECRET_KEY does not open the stored keys of Away, School, Files, the search engine\..*--accept-new-secret/;

const backups = setUpBackups();
const { run, start } = backups;

/** Stores keys of a connection, of an MCP server and of a search engine, and the secret of an identity provider. */
async function connect(): Promise<void> {
  await using app = await start();
  const account = await signUpAs(app, "owner");
  const owner = new OwnerOfConnections(app, account);
  const body = { kind: "brave", baseUrl: null, apiKey: KEY };
  expect((await app.call("PUT", administrationPaths.webSearch, { token: account.token, body })).status).toBe(200);
  const school = { name: "School", issuer: "https://login.example.org", clientId: "parley", clientSecret: KEY };
  await new OwnerOfProviders(app, account).add(school);
  const headers = [{ name: "Authorization", value: KEY }];
  await new OwnerOfServers(app, account).add({
    name: "Files",
    url: "http://127.0.0.1:9/mcp",
    headers,
    isEnabled: false,
  });
  await owner.create({ kind: "openai", name: "Away", baseUrl: "http://127.0.0.1:9/v1", apiKey: KEY, isEnabled: false });
}

it("N6 a backup with its secret restores stored keys, and has none in plain text", async () => {
  await connect();
  await run(["backup", backups.file]);
  expect((await readFile(backups.file)).includes(KEY)).toBe(false);
  const target = await backups.createTarget();
  expect((await run(["restore", backups.file], target)).json.ok).toBe(true);
  await using app = await start(target);
  const account = await signUpAs(app, "owner");
  const [owner, providers] = [new OwnerOfConnections(app, account), new OwnerOfProviders(app, account)];
  expect(await providers.list()).toMatchObject([{ client: { isUnreadable: false, secretEnd: "6789" } }]);
  expect((await owner.list()).connections).toMatchObject([{ slug: "AWAY", isUnreadable: false, keyEnd: "6789" }]);
  expect(app.context.webSearch.current()).toMatchObject({ kind: "brave", key: KEY });
});

it("N6 a backup without the secret reveals no key, and its restore stops and names them", async () => {
  await connect();
  const { json } = await run(["backup", backups.file, "--without-secret"]);
  expect(json.files).not.toContain("secret-key");
  const target = await backups.createTarget();
  await rm(join(target.dataDir, "secret-key"), { force: true });
  const refused = await run(["restore", backups.file], target);
  expect(refused.json).toMatchObject({ ok: false });
  expect(JSON.stringify(refused.json)).toMatch(UNREADABLE);
  // Nothing was changed: the next restore needs no --force.
  expect((await run(["restore", backups.file, "--accept-new-secret"], target)).json.ok).toBe(true);
  await expect(start(target)).rejects.toThrow(/SECRET_KEY does not open the stored keys of Away/);
});

it("N6 a restore opens keys by the secret of the data folder, and by SECRET_KEY before that of the backup", async () => {
  await connect();
  await run(["backup", backups.file]);
  const other = { ...(await backups.createTarget()) };
  other.env = { ...other.env, SECRET_KEY: "another-secret-of-an-installation-0123456789" };
  expect((await run(["restore", backups.file], other)).json.ok).toBe(false);
  const secret = await readFile(join(backups.harness.dataDir, "secret-key"), "utf8");
  other.env = { ...other.env, SECRET_KEY_PREVIOUS: secret.trim() };
  expect((await run(["restore", backups.file], other)).json.ok).toBe(true);
});

it.skipIf(isOnPostgres)("N6 a move stops and names whose key does not open", async () => {
  await connect();
  const to = await backups.createPostgres();
  const closed = { ...backups.harness };
  closed.env = { ...closed.env, SECRET_KEY: "another-secret-of-an-installation-0123456789" };
  const refused = await run(["move", "--to", to], closed);
  expect(JSON.stringify(refused.json)).toMatch(UNREADABLE);
  expect((await run(["move", "--to", to, "--accept-new-secret"], closed)).json.ok).toBe(true);
});
