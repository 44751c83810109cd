import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { OwnerOfServers, offeredServers } from "../../../testing/administration/mcp-servers.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { ListingServer } from "../../../testing/mcp/listing-server.ts";
import { createSharedDatabase } from "../../../testing/servers/shared-database.ts";

const KEY = "key-canary-0123456789";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let remote: ListingServer;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  remote = opened.use(await ListingServer.start());
});
afterEach(() => opened[Symbol.asyncDispose]());

const start = (more: Parameters<typeof startTestApp>[0] = {}) =>
  startTestApp({ harness, ...more, env: { RATE_LIMITS: "off", ...more.env } });
const wiki = () => ({ name: "The Wiki", url: remote.url });
const keyed = () => ({ ...wiki(), headers: [{ name: "X-Key", value: KEY }] });

describe("the key of the installation and MCP servers", () => {
  const OLD = "old-secret-of-the-installation-0123456789";
  const NEW = "new-secret-of-the-installation-0123456789";
  async function addedUnder(secret: string) {
    await using before = await start({ env: { SECRET_KEY: secret } });
    await new OwnerOfServers(before, await signUpAs(before, "owner")).add(keyed());
  }

  it("N6 a start with another key stops and names MCP servers, unless it accepts the new one", async () => {
    await addedUnder(OLD);
    await expect(start({ env: { SECRET_KEY: NEW } })).rejects.toThrow(/SECRET_KEY does not open.*The Wiki/);
    await using after = await start({ env: { SECRET_KEY: NEW }, acceptsNewSecret: true });
    const account = await signUpAs(after, "owner");
    const later = new OwnerOfServers(after, account);
    expect((await later.list()).servers).toMatchObject([{ isUnreadable: true, headers: [] }]);
    expect(await offeredServers(after, account)).toEqual([]);
    const entered = await later.change("the-wiki", { headers: [{ name: "X-Key", value: KEY }] });
    expect(entered).toMatchObject({ server: { isUnreadable: false, state: "ready" }, check: { ok: true } });
  });

  it("N6 the previous key opens headers of MCP servers, which are encrypted again", async () => {
    await addedUnder(OLD);
    await (await start({ env: { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD } }))[Symbol.asyncDispose]();
    await using after = await start({ env: { SECRET_KEY: NEW } });
    const later = new OwnerOfServers(after, await signUpAs(after, "owner"));
    expect((await later.list()).servers).toMatchObject([{ isUnreadable: false, headers: [{ end: "6789" }] }]);
  });
});

it.runIf(isOnPostgres)(
  "another process has an MCP server as soon as it is committed, and no longer than that",
  async () => {
    await using database = await createSharedDatabase();
    const [one, other] = [await database.startServer(), await database.startServer()];
    const account = await signUpAs(one, "owner");
    const at = new OwnerOfServers(one, account);
    await at.add(wiki());
    expect(await offeredServers(other, account)).toEqual(["the-wiki ready 1"]);
    await at.remove("the-wiki");
    expect(await offeredServers(other, account)).toEqual([]);
  },
);
