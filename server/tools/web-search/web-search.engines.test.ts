import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import {
  type NewSearchEngine,
  type SearchEngineKind,
  searchCheckSchema,
  searchEngineKinds,
  webSearchSchema,
} from "#contract/administration/web-search.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import type { TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import {
  ENGINE_KEY,
  engineRefusals,
  type ScriptedEngine,
  startSearchEngine,
} from "../../../testing/browsing/search-engines.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";
import { createSharedDatabase } from "../../../testing/servers/shared-database.ts";
import { sqliteFile } from "../../database/sqlite/sqlite-file.ts";

let opened: AsyncDisposableStack;
let harness: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
});
afterEach(() => opened[Symbol.asyncDispose]());

const start = async (more: Parameters<typeof startTestApp>[0] = {}) =>
  opened.use(await startTestApp({ harness, ...more, env: { RATE_LIMITS: "off", ...more.env } }));
const startEngine = async (kind: SearchEngineKind) => opened.use(await startSearchEngine(kind));

/** Calls of an owner to the routes of the search engine. */
class OwnerOfSearch {
  readonly app: TestApp;
  readonly by: TestAccount;

  constructor(app: TestApp, by: TestAccount) {
    this.app = app;
    this.by = by;
  }

  static async of(app: TestApp): Promise<OwnerOfSearch> {
    return new OwnerOfSearch(app, await signUpAs(app, "owner"));
  }

  call(method: string, body?: object, path: string = administrationPaths.webSearch): Promise<Response> {
    return this.app.call(method, path, { token: this.by.token, ...(body && { body }) });
  }

  async read() {
    return webSearchSchema.parse(await (await this.call("GET")).json());
  }

  async set(body: NewSearchEngine) {
    const response = await this.call("PUT", body);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.not.stringContaining(ENGINE_KEY)]);
    return webSearchSchema.parse(JSON.parse(text));
  }

  /** Returns the fields that the server refuses, with their rules. */
  async refusals(body: object, path?: string) {
    const response = await this.call(path ? "POST" : "PUT", body, path);
    const { code, issues } = await problemOf(response);
    expect(code).toBe("invalid-input");
    return issues?.map(({ field, rule }) => `${field} ${rule}`);
  }

  async check(engine?: NewSearchEngine) {
    const response = await this.call("POST", { ...(engine && { engine }) }, administrationPaths.webSearchCheck);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.not.stringContaining(ENGINE_KEY)]);
    return searchCheckSchema.parse(JSON.parse(text));
  }

  async records() {
    const rows = this.app.context.database.selectFrom("audit_events").selectAll().orderBy("seq");
    const own = (await rows.execute()).filter(({ kind }) => kind.startsWith("search-engine-"));
    expect(JSON.stringify(own)).not.toContain(ENGINE_KEY);
    return own.map(({ kind, before, after }) => [kind, JSON.parse(before ?? "null"), JSON.parse(after ?? "null")]);
  }
}

const entered = ({ kind, engine }: ScriptedEngine): NewSearchEngine => ({
  kind,
  baseUrl: engine.address ?? null,
  ...(kind !== "searxng" && { apiKey: ENGINE_KEY }),
});

describe.each(searchEngineKinds)("%s", (kind) => {
  it(`an owner sets ${kind}, which is searched without a restart, and its key is never returned`, async () => {
    const owner = await OwnerOfSearch.of(await start());
    const { webSearch } = owner.app.context;
    const scripted = await startEngine(kind);
    scripted.results = [{ url: "https://a.test/", title: "One", text: "First" }];
    expect([await owner.read(), webSearch.current()]).toEqual([{ engine: null, isFixed: false }, undefined]);
    const hasKey = kind !== "searxng";
    const baseUrl = scripted.engine.address ?? null;
    const answer = { engine: { kind, baseUrl, hasKey, isUnreadable: false }, isFixed: false };
    expect(await owner.set(entered(scripted))).toEqual(answer);
    expect(await owner.read()).toEqual(answer);
    const current = webSearch.current();
    const results = current && (await webSearch.search(current, "pandas"));
    expect([results?.map(({ title }) => title), scripted.queries]).toEqual([["One"], ["pandas"]]);
    const rows = await owner.app.context.database.selectFrom("settings").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(ENGINE_KEY);
    expect(owner.app.logLines.join("")).not.toContain(ENGINE_KEY);
    expect((await owner.call("DELETE")).status).toBe(204);
    expect([await owner.read(), webSearch.current()]).toEqual([{ engine: null, isFixed: false }, undefined]);
  });

  it(`a test of ${kind} counts results before and after the values are saved`, async () => {
    const owner = await OwnerOfSearch.of(await start());
    const scripted = await startEngine(kind);
    expect(await owner.check(entered(scripted))).toMatchObject({ ok: true, results: 0 });
    scripted.results = [{ url: "https://a.test/", title: "One", text: "First" }];
    await owner.set(entered(scripted));
    const { apiKey: _, ...withStoredKey } = entered(scripted);
    for (const engine of [undefined, withStoredKey]) {
      expect(await owner.check(engine)).toMatchObject({ ok: true, results: 1 });
    }
    expect((await owner.records()).filter(([record]) => record === "search-engine-tested")).toEqual(
      Array(3).fill(["search-engine-tested", null, { engine: kind, ok: true }]),
    );
  });
});

describe("tests that fail", () => {
  it.each(engineRefusals)("a test of %s reports %s", async (kind, _, refusal, { code, retryAfterSeconds }) => {
    const owner = await OwnerOfSearch.of(await start());
    const scripted = await startEngine(kind);
    scripted.failure = refusal;
    const { host } = new URL(scripted.engine.address ?? "");
    expect(await owner.check(entered(scripted))).toEqual({
      ok: false,
      code,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      host,
      durationMs: expect.any(Number),
    });
    expect(await owner.records()).toEqual([["search-engine-tested", null, { engine: kind, ok: false, code }]]);
  });

  it("a test names a loopback address within a container", async () => {
    const owner = await OwnerOfSearch.of(await start({ env: { container: "docker" } }));
    const baseUrl = await unusedAddress();
    const unreachable = { ok: false, code: "unreachable", reason: "refused", isOwnContainer: true };
    expect(await owner.check({ kind: "searxng", baseUrl })).toMatchObject(unreachable);
  });

  it("there is nothing to test without an engine", async () => {
    const owner = await OwnerOfSearch.of(await start());
    expect((await owner.call("POST", {}, administrationPaths.webSearchCheck)).status).toBe(404);
  });
});

describe("values of an engine", () => {
  it("an engine without what it needs is refused, and so is its test", async () => {
    const owner = await OwnerOfSearch.of(await start());
    const refusals: [object, string][] = [
      [{ kind: "searxng", baseUrl: null }, "baseUrl required"],
      [{ kind: "searxng", baseUrl: "searxng" }, "baseUrl invalid"],
      [{ kind: "searxng", baseUrl: "http://me:secret@searxng" }, "baseUrl invalid"],
      [{ kind: "searxng", baseUrl: "http://169.254.169.254" }, "baseUrl invalid"],
      [{ kind: "brave", baseUrl: null }, "apiKey required"],
      [{ kind: "tavily", baseUrl: null, apiKey: null }, "apiKey required"],
      [{ kind: "brave", baseUrl: null, apiKey: "a b" }, "apiKey invalid"],
    ];
    for (const [body, refusal] of refusals) expect([body, await owner.refusals(body)]).toEqual([body, [refusal]]);
    for (const [engine, refusal] of refusals.slice(0, -1)) {
      expect(await owner.refusals({ engine }, administrationPaths.webSearchCheck)).toEqual([
        expect.stringContaining(refusal),
      ]);
    }
    expect(await owner.read()).toEqual({ engine: null, isFixed: false });
    expect(await owner.records()).toEqual([]);
  });

  it("N4 a stored key is not sent to another server or engine than that for which it was entered", async () => {
    const owner = await OwnerOfSearch.of(await start());
    const [scripted, other] = [await startEngine("tavily"), await startEngine("tavily")];
    const baseUrl = scripted.engine.address ?? null;
    await owner.set(entered(scripted));
    expect(await owner.set({ kind: "tavily", baseUrl: `${baseUrl}/` })).toMatchObject({ engine: { hasKey: true } });
    const elsewhere = [
      { kind: "tavily", baseUrl: other.engine.address },
      { kind: "tavily", baseUrl: null },
      { kind: "brave", baseUrl },
    ];
    for (const engine of elsewhere) {
      expect(await owner.refusals(engine)).toEqual(["apiKey required"]);
      expect(await owner.refusals({ engine }, administrationPaths.webSearchCheck)).toEqual([
        expect.stringContaining("apiKey required"),
      ]);
    }
    expect(other.web.connections).toBe(0);
    // A row that was changed in the database: the key does not open for another server.
    const { database, webSearch } = owner.app.context;
    const [row] = await database.selectFrom("settings").selectAll().where("name", "=", "searchEngine").execute();
    const value = row?.value.replace(`${baseUrl}`, `${other.engine.address}`) ?? "";
    await database.updateTable("settings").set({ value }).where("name", "=", "searchEngine").execute();
    await webSearch.reload();
    expect(webSearch.current()).toBeUndefined();
  });

  it("changes are recorded without the key, and one without an effect is not", async () => {
    const owner = await OwnerOfSearch.of(await start());
    const searxng = { kind: "searxng", baseUrl: "http://searxng.test/path" } as const;
    await owner.set(searxng);
    await owner.set(searxng);
    await owner.set({ kind: "brave", baseUrl: null, apiKey: ENGINE_KEY });
    await owner.set({ kind: "brave", baseUrl: null });
    await owner.call("DELETE");
    await owner.call("DELETE");
    const stored = { engine: "searxng", baseUrl: "http://searxng.test", hasKey: false };
    const brave = { engine: "brave", baseUrl: null, hasKey: true };
    expect(await owner.records()).toEqual([
      ["search-engine-changed", { engine: null }, { ...stored, hasNewKey: false }],
      ["search-engine-changed", stored, { ...brave, hasNewKey: true }],
      ["search-engine-changed", brave, { engine: null }],
    ]);
  });

  it("an engine of the environment is used and shown as fixed, and nobody changes it", async () => {
    const scripted = await startEngine("brave");
    scripted.results = [{ url: "https://a.test/", title: "One", text: "First" }];
    const baseUrl = scripted.engine.address ?? "";
    const app = await start({ env: { SEARCH_ENGINE: "brave", SEARCH_URL: baseUrl, SEARCH_KEY: ENGINE_KEY } });
    const owner = await OwnerOfSearch.of(app);
    const engine = { kind: "brave", baseUrl, hasKey: true, isUnreadable: false };
    expect(await owner.read()).toEqual({ engine, isFixed: true });
    expect(await owner.check()).toMatchObject({ ok: true, results: 1 });
    expect(await owner.refusals({ kind: "searxng", baseUrl })).toEqual(["kind fixed"]);
    expect((await problemOf(await owner.call("DELETE"))).code).toBe("invalid-input");
  });
});

describe("the secret of the installation", () => {
  const OLD = { SECRET_KEY: "old-secret-of-the-installation-0123456789" };
  const NEW = { SECRET_KEY: "new-secret-of-the-installation-0123456789" };
  const brave = { kind: "brave", baseUrl: null, apiKey: ENGINE_KEY } as const;
  const startAndStop = async (env: Record<string, string>, work: (app: TestApp) => Promise<unknown>) => {
    await using app = await startTestApp({ harness, env: { RATE_LIMITS: "off", ...env } });
    await work(app);
  };

  it("N6 a start with another secret stops and names the engine, unless it accepts the new one", async () => {
    await startAndStop(OLD, async (app) => (await OwnerOfSearch.of(app)).set(brave));
    await expect(startTestApp({ harness, env: NEW })).rejects.toThrow(/SECRET_KEY does not open.*the search engine/);
    const owner = await OwnerOfSearch.of(await start({ env: NEW, acceptsNewSecret: true }));
    expect(await owner.read()).toMatchObject({ engine: { kind: "brave", isUnreadable: true } });
    expect(owner.app.context.webSearch.current()).toBeUndefined();
    expect(await owner.refusals({ kind: "brave", baseUrl: null })).toEqual(["apiKey required"]);
    expect(await owner.set(brave)).toMatchObject({ engine: { isUnreadable: false } });
    expect(owner.app.context.webSearch.current()).toMatchObject({ kind: "brave", key: ENGINE_KEY });
  });

  it("N6 the previous secret opens the key, which is encrypted again", async () => {
    await startAndStop(OLD, async (app) => (await OwnerOfSearch.of(app)).set(brave));
    await startAndStop({ ...NEW, SECRET_KEY_PREVIOUS: OLD.SECRET_KEY }, async (app) =>
      expect(app.context.webSearch.current()).toMatchObject({ key: ENGINE_KEY }),
    );
    await startAndStop(NEW, async (app) => expect(app.context.webSearch.current()).toMatchObject({ key: ENGINE_KEY }));
  });
});

it.runIf(isOnPostgres)("processes without Redis poll each other's engine", async () => {
  const database = opened.use(await createSharedDatabase());
  const [a, b] = [await database.startServer(), await database.startServer()];
  const owner = await OwnerOfSearch.of(a);
  await owner.set({ kind: "searxng", baseUrl: "http://searxng.test" });
  const engine = { kind: "searxng", address: "http://searxng.test" };
  expect(a.context.webSearch.current()).toMatchObject(engine);
  await vi.waitFor(() => expect(b.context.webSearch.current()).toMatchObject(engine), 10_000);
});

it.skipIf(isOnPostgres)("an engine that another program writes to the SQLite file takes effect", async () => {
  const app = await start();
  // The first check of the file only remembers its version.
  await app.context.otherWriters.check();
  using file = new DatabaseSync(sqliteFile(app.dataDir));
  const value = JSON.stringify({ kind: "searxng", baseUrl: "http://searxng.test", keyEncrypted: null });
  file.prepare("insert into settings (name, value, changed_at) values ('searchEngine', ?, 1)").run(value);
  await vi.waitFor(() => expect(app.context.webSearch.current()).toMatchObject({ address: "http://searxng.test" }));
});
