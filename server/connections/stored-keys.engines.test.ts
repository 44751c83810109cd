import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askModel, OwnerOfConnections } from "../../testing/accounts/connections.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const KEY = "sk-connection-canary-0123456789";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let provider: ScriptedProvider;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
});
afterEach(() => opened[Symbol.asyncDispose]());

const start = (more: Parameters<typeof startTestApp>[0] = {}) =>
  startTestApp({ harness, ...more, env: { RATE_LIMITS: "off", ...more.env } });

const home = () => ({ kind: "openai" as const, name: "At home", baseUrl: provider.baseUrl, apiKey: KEY });

describe("the key of the installation", () => {
  const OLD = "old-secret-of-the-installation-0123456789";
  const NEW = "new-secret-of-the-installation-0123456789";

  it("N6 a start with another key stops and names the connections, unless it accepts the new one", async () => {
    {
      await using before = await start({ env: { SECRET_KEY: OLD } });
      await new OwnerOfConnections(before, await signUpAs(before, "owner")).create(home());
    }
    await expect(start({ env: { SECRET_KEY: NEW } })).rejects.toThrow(/SECRET_KEY does not open.*At home/);
    await using after = await start({ env: { SECRET_KEY: NEW }, acceptsNewSecret: true });
    const later = new OwnerOfConnections(after, await signUpAs(after, "owner"));
    expect((await later.list()).connections).toMatchObject([{ slug: "AT-HOME", isUnreadable: true, keyEnd: "" }]);
    expect(await later.change("AT-HOME", { apiKey: KEY, headers: [] })).toMatchObject({ isUnreadable: false });
  });

  it("N6 the previous key opens stored keys, which are encrypted again", async () => {
    {
      await using before = await start({ env: { SECRET_KEY: OLD } });
      await new OwnerOfConnections(before, await signUpAs(before, "owner")).create(home());
    }
    {
      await using between = await start({ env: { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD } });
      expect(between.context.models.health()).toMatchObject([{ id: "AT-HOME" }]);
    }
    await using after = await start({ env: { SECRET_KEY: NEW } });
    const by = await signUpAs(after, "owner");
    expect(await askModel(after, by, "AT-HOME:qwen3:8b")).toEqual(["AT-HOME:qwen3:8b", provider.reply]);
  });
});
