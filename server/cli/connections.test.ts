import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { type AdminResult, admin } from "../../testing/cli/run-admin.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const KEY = "sk-cli-canary-0123456789";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let provider: ScriptedProvider;
let app: TestApp;
beforeAll(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
  harness = opened.use(await createTestHarness());
  app = opened.use(await startTestApp({ harness }));
});
beforeEach(() => provider.reset());
afterAll(() => opened.disposeAsync());

const connections = (words: string[], input = "") => admin(harness, ["connections", ...words, "--json"], { input });
const listed = async () => (await connections(["list"])).json.connections as { slug: string }[];
const textOf = ({ json, err }: AdminResult) => `${JSON.stringify(json)} ${err}`;

it("a connection of the command line is used by the running server, and its key is in no output", async () => {
  const added = await connections(["add", "At home", "--url", provider.baseUrl, "--key-stdin"], `${KEY}\n`);
  expect([added.code, added.json.slug]).toEqual([0, "AT-HOME"]);
  await vi.waitFor(() => expect(app.context.models.health()).toMatchObject([{ id: "AT-HOME" }]), { timeout: 20_000 });
  await app.context.models.refresh("AT-HOME");
  expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(await listed()).toMatchObject([{ slug: "AT-HOME", kind: "openai", isEnabled: true, key: "set" }]);
  expect(textOf(added) + textOf(await connections(["list"]))).not.toContain(KEY);

  expect((await connections(["set", "AT-HOME", "--disable", "--no-key"])).code).toBe(0);
  expect(await listed()).toMatchObject([{ slug: "AT-HOME", isEnabled: false, key: "none" }]);
  expect((await connections(["delete", "AT-HOME", "--yes"])).code).toBe(0);
  expect(await listed()).toEqual([]);
});

it("headers of the command line are sent with every call, masked in the list and recorded", async () => {
  const HEADER = "cli-header-canary";
  const url = ["--url", provider.baseUrl];
  const file = join(harness.dataDir, "headers");
  await writeFile(file, `X-Gateway: ${HEADER}\n`);
  const added = await connections(["add", "Gateway", ...url, "--header", "X-Team: salon", "--headers-file", file]);
  expect(added.code).toBe(0);
  await vi.waitFor(() => expect(app.context.models.health()).toMatchObject([{ id: "GATEWAY" }]), { timeout: 20_000 });
  await app.context.models.refresh("GATEWAY");
  expect(provider.requests.at(-1)?.headers).toMatchObject({ "x-team": "salon", "x-gateway": HEADER });
  expect(await listed()).toMatchObject([{ headers: ["X-Team", "X-Gateway"], sendsPerson: false }]);
  const table = await admin(harness, ["connections", "list"]);
  expect(table.out).toContain("X-Team: ••••, X-Gateway: ••••");

  const person = ["set", "GATEWAY", "--sends-person", "--headers-stdin"];
  const changed = await connections(person, "X-Mail: {email}\n");
  expect(changed.code).toBe(0);
  expect(await listed()).toMatchObject([{ headers: ["X-Mail"], sendsPerson: true }]);
  expect((await connections(["set", "GATEWAY", "--no-headers", "--no-sends-person"])).code).toBe(0);
  expect(await listed()).toMatchObject([{ headers: [], sendsPerson: false }]);
  const records = await app.context.database.selectFrom("audit_events").selectAll().orderBy("seq").execute();
  const [created, ...changes] = records.slice(-3).map(({ kind, after }) => [kind, JSON.parse(after ?? "null")]);
  expect(created).toMatchObject(["connection-created", { connection: "GATEWAY" }]);
  expect(changes).toMatchObject([
    ["connection-changed", { hasNewHeaders: true }],
    ["connection-changed", { hasNewHeaders: true }],
  ]);
  expect(textOf(added) + table.out + JSON.stringify(records)).not.toContain(HEADER);
  expect((await connections(["delete", "GATEWAY", "--yes"])).code).toBe(0);
});

it("the command line refuses what the browser refuses, and says why", async () => {
  const url = ["--url", provider.baseUrl];
  for (const [words, sentence] of [
    [["add", "Cloud", "--url", "http://169.254.169.254/v1"], "BaseUrl is not valid."],
    [["add", "Typo", "--url", provider.baseUrl, "--kind", "openia"], "Kind is not valid."],
    [["add", "Mine", "--url", provider.baseUrl, "--slug", "GPT"], "Slug is already taken."],
    [
      ["add", "Host", ...url, "--header", "Host: example.org"],
      "Headers must not set a name that the connection sets itself",
    ],
    [["add", "Twice", ...url, "--header", "X-A: 1", "--header", "x-a: 2"], "Headers must not set a name twice."],
    [["add", "Mail", ...url, "--header", "X-Mail: {email}"], "Headers must not contain {email} or {name}, unless"],
    [
      ["add", "None", ...url, "--header", "no header"],
      "Give at most 20 headers, each as a line such as 'X-Team: salon'.",
    ],
    [["add", "File", ...url, "--headers-file", "absent"], "The file absent cannot be read."],
    [["add", "Both", ...url, "--key-stdin", "--headers-stdin"], "Give --key-stdin or --headers-stdin, not both"],
    [["set", "NONE", "--header", "X-A: 1", "--no-headers"], "Give --header or --no-headers, not both."],
    [["set", "NONE", "--name", "Some"], "There is no connection NONE."],
    [["set", "NONE", "--enable", "--disable"], "Give --enable or --disable, not both."],
    [["delete", "NONE", "--yes"], "There is no connection NONE."],
  ] as const) {
    const result = await connections([...words]);
    expect([result.code === 0, textOf(result)]).toEqual([false, expect.stringContaining(sentence)]);
  }
  expect(await listed()).toEqual([]);
});
