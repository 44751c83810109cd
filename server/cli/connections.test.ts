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

it("the command line refuses what the browser refuses, and says why", async () => {
  for (const [words, sentence] of [
    [["add", "Cloud", "--url", "http://169.254.169.254/v1"], "BaseUrl is not valid."],
    [["add", "Typo", "--url", provider.baseUrl, "--kind", "openia"], "Kind is not valid."],
    [["add", "Mine", "--url", provider.baseUrl, "--slug", "GPT"], "Slug is already taken."],
    [["set", "NONE", "--name", "Some"], "There is no connection NONE."],
    [["set", "NONE", "--enable", "--disable"], "Give --enable or --disable, not both."],
    [["delete", "NONE", "--yes"], "There is no connection NONE."],
  ] as const) {
    const result = await connections([...words]);
    expect([result.code === 0, textOf(result)]).toEqual([false, expect.stringContaining(sentence)]);
  }
  expect(await listed()).toEqual([]);
});
