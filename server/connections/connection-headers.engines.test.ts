import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConnectionChange } from "#contract/administration/connections.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { askModel, OwnerOfConnections } from "../../testing/accounts/connections.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const MODEL = "HOME:qwen3:8b";

let opened: AsyncDisposableStack;
let provider: ScriptedProvider;
let app: TestApp;
let owner: TestAccount;
let connections: OwnerOfConnections;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
  app = opened.use(await startTestApp({ env: { RATE_LIMITS: "off" } }));
  owner = await signUpAs(app, "owner");
  connections = new OwnerOfConnections(app, owner);
});
afterEach(() => opened[Symbol.asyncDispose]());

const home = () => ({ kind: "openai" as const, name: "Home", baseUrl: provider.baseUrl });
const header = (name: string, value: string) => ({ name, value });
const valuesOf = (kind: string, name: string) =>
  provider.requests.filter((each) => each.kind === kind).map(({ headers }) => headers[name]);

/** Changes the connection. @returns the status, and the rules that it breaks */
async function change(body: ConnectionChange) {
  const path = administrationPaths.connection("HOME");
  const response = await app.call("PATCH", path, { token: owner.token, body });
  if (response.ok) return [response.status];
  const { issues = [] } = await problemOf(response);
  return [response.status, ...issues.map(({ field, rule }) => `${field} ${rule}`)];
}

describe("ids in the headers of a connection", () => {
  it("names the account and its group by opaque ids in replies and titles, and nobody in lists and tests", async () => {
    const ids = header("X-Caller", '{account}/{group}/{other}/{"a":1}');
    await connections.create({ ...home(), headers: [ids] });
    await app.call("POST", administrationPaths.providerCheck("HOME"), { token: owner.token, body: {} });
    const nobody = '//{other}/{"a":1}';
    expect(new Set(valuesOf("models", "x-caller"))).toEqual(new Set([nobody]));
    expect(valuesOf("chat", "x-caller")).toEqual([nobody]);
    const ada = await signUp(app);
    await askModel(app, ada, MODEL);
    await vi.waitUntil(() => valuesOf("title", "x-caller").length === 1);
    const groupId = await insertTestGroup(app);
    await moveToGroup(app, groupId, ada);
    await askModel(app, ada, undefined);
    const alone = `${ada.user.id}//{other}/{"a":1}`;
    const inGroup = `${ada.user.id}/${groupId}/{other}/{"a":1}`;
    expect(valuesOf("chat", "x-caller").slice(1)).toEqual([alone, inGroup]);
    expect(valuesOf("title", "x-caller")[0]).toBe(alone);
  });

  it("a secret in a header that the server echoes is masked in the reply", async () => {
    const secret = "gateway-token-canary-0123456789";
    await connections.create({
      ...home(),
      apiKey: "sk-key-canary-0123456789",
      headers: [header("X-Gateway", `Token ${secret}`)],
    });
    provider.reply = ({ headers }) => `I got ${headers["x-gateway"]} and ${headers.authorization}.`;
    expect(await askModel(app, owner, MODEL)).toEqual([MODEL, "I got Token ••• and Bearer •••."]);
  });
});

describe("headers that a connection must not have", () => {
  it.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "Proxy-Authorization",
    "Cookie",
    "Accept-Encoding",
    "authorization",
  ])("refuses the header %s, which the connection sets itself", async (name) => {
    await connections.create({ ...home(), apiKey: "sk-key" });
    expect(await change({ headers: [header("X-Team", "salon"), header(name, "value")] })).toEqual([
      400,
      "headers reserved",
    ]);
    expect((await connections.list()).connections[0]?.headers).toEqual([]);
  });

  it("refuses the header of the key only with a key, which may be entered later", async () => {
    await connections.create({ ...home(), headers: [header("Authorization", "Basic QWRhOnBlbmd1aW4=")] });
    await askModel(app, owner, MODEL);
    expect(valuesOf("chat", "authorization")).toEqual(["Basic QWRhOnBlbmd1aW4="]);
    expect(await change({ apiKey: "sk-key" })).toEqual([400, "headers reserved"]);
    expect(await change({ apiKey: "sk-key", headers: [] })).toEqual([200]);
  });

  it("refuses a header that is named twice", async () => {
    await connections.create(home());
    expect(await change({ headers: [header("X-Team", "a"), header("x-team", "b")] })).toEqual([
      400,
      "headers repeated",
    ]);
  });
});

describe("personal headers", () => {
  const personal = [header("X-Mail", "{email}"), header("X-Person", "{name} 100%")];
  const receivesOf = async ({ token }: TestAccount) =>
    modelListSchema
      .parse(await (await app.call("GET", modelPaths.models, { token })).json())
      .flatMap(({ label, receives }) => (receives ? [[label, receives]] : []));

  it("a person’s address and name are sent only where an owner has switched that on, and every person is told", async () => {
    await connections.create(home());
    expect(await change({ headers: personal })).toEqual([400, "headers identity"]);
    const ada = await signUp(app, { firstname: "Zoë", lastname: "Hopper" });
    expect(await receivesOf(ada)).toEqual([]);
    expect(await change({ headers: personal, settings: { sendsPerson: true } })).toEqual([200]);
    await askModel(app, ada, MODEL);
    expect(provider.chats.at(-1)?.headers).toMatchObject({
      "x-mail": ada.user.email,
      "x-person": "Zo%C3%AB Hopper 100%",
    });
    expect(await receivesOf(ada)).toEqual([["Home", ["email", "name"]]]);
    // Lists are requested without an account.
    await connections.refresh("HOME");
    expect(valuesOf("models", "x-mail").at(-1)).toBe("");
  });

  it("a person’s data cannot be switched off while a header has it, and rows of other versions do not send it", async () => {
    await connections.create({ ...home(), headers: personal, settings: { sendsPerson: true } });
    expect(await change({ settings: { sendsPerson: false } })).toEqual([400, "headers identity"]);
    await app.context.database.updateTable("connections").set({ settings: "{}" }).execute();
    await app.context.connections.reload();
    await askModel(app, owner, MODEL);
    expect(provider.chats.at(-1)?.headers).toMatchObject({ "x-mail": "", "x-person": "100%" });
  });
});
