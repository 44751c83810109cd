import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { usageSchema } from "#contract/models/usage.ts";
import { startTestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { chargedBy, insertGroup, pricedModel, setBudgetsOf, settledSums } from "../../testing/chats/budgets.ts";
import { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const tariffs = { plain: { input: 250_000n, output: 2_000_000n } };
const PLAIN = "LOCAL:plain";
const MUCH = 1e10;
let chat: ScriptedChat;
let clock: TestClock;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-months-"));
  const file = join(folder, "models.json");
  const groups = [{ label: "All", models: [pricedModel(PLAIN, tariffs.plain)] }];
  await writeFile(file, JSON.stringify({ groups, automatic: [PLAIN] }));
  const provider = await startScriptedProvider();
  clock = new TestClock(Date.UTC(2026, 10, 30, 20));
  const env = { LOCAL_BASE_URL: provider.baseUrl, RATE_LIMITS: "off", MODELS_FILE: file, MONTHLY_BUDGET_USD: "10" };
  chat = new ScriptedChat(provider, await startTestApp({ clock, env }));
  await chat.renew();
  await chat.call("PATCH", "", { title: "Fjords" });
  return () => rm(folder, { recursive: true });
});
afterEach(() => chat[Symbol.asyncDispose]());

const ask = async () => {
  await readReply(await chat.stream({ model: PLAIN }));
};
const charged = () => chargedBy(chat.provider, tariffs);
const spentOf = async (key: string) => (await settledSums(chat.app))[key]?.spent;
const own = (month: string) => `account:${chat.ada.user.id} ${month}`;
const readUsage = async () =>
  usageSchema.parse(await (await chat.app.call("GET", modelPaths.usage, { token: chat.ada.token })).json());

/** Begins a call; the returned function ends it. */
async function beginCall(): Promise<() => Promise<void>> {
  chat.provider.next("held");
  const response = await chat.stream({ model: PLAIN });
  await chat.provider.untilHeld(1);
  return async () => {
    chat.provider.release("Word");
    await chat.provider.untilHeld(1);
    chat.provider.finish();
    await readReply(response);
  };
}

it("P5 a budget that is removed and set again in one month counts the calls between", async () => {
  const { id } = chat.ada.user;
  await setBudgetsOf(chat.app, id, { budget: MUCH });
  await ask();
  await setBudgetsOf(chat.app, id, { budget: null });
  await ask();
  await ask();
  await setBudgetsOf(chat.app, id, { budget: MUCH });
  expect((await readUsage()).budgets?.account?.spent).toBe(charged() / 1e9);
  await ask();
  expect(await spentOf(own("2026-11"))).toBe(charged());
});

it("P5 a budget of members counts the calls that a member has made in another group, and without one", async () => {
  const { id } = chat.ada.user;
  const [limited, other] = [
    await insertGroup(chat.app, { member_budget: MUCH }),
    await insertGroup(chat.app, { budget: MUCH }),
  ];
  for (const group_id of [limited, other, null, limited]) {
    await setBudgetsOf(chat.app, id, { group_id });
    await ask();
  }
  expect(await spentOf(own("2026-11"))).toBe(charged());
  expect(await spentOf(`group:${other} 2026-11`)).toBe(charged() / 4);
});

it("P5 a call that runs while a budget is set is counted in it, before and after the budget's first reservation", async () => {
  const { id } = chat.ada.user;
  const group = await insertGroup(chat.app);
  await setBudgetsOf(chat.app, id, { group_id: group });
  const first = await beginCall();
  await setBudgetsOf(chat.app, id, { budget: MUCH });
  await chat.app.context.database.updateTable("account_groups").set({ budget: MUCH }).execute();
  const body = { message: "Hello", model: PLAIN };
  const path = `/chat/${await chat.createChat()}/send?stream=1`;
  await chat.app.call("PATCH", path.replace("/send?stream=1", ""), {
    token: chat.ada.token,
    body: { title: "Second" },
  });
  await readReply(await chat.app.call("POST", path, { token: chat.ada.token, body }));
  await first();
  expect(await spentOf(own("2026-11"))).toBe(charged());
  expect(await spentOf(`group:${group} 2026-11`)).toBe(charged());
});

it("P5 a changed time zone of a group counts the calls since the new month began there, also when it is changed back", async () => {
  const { id } = chat.ada.user;
  const group = await insertGroup(chat.app, { budget: MUCH, member_budget: MUCH });
  await setBudgetsOf(chat.app, id, { group_id: group });
  const { database } = chat.app.context;
  await ask();
  await ask();
  // 5 o'clock on 1 December.
  await database.updateTable("account_groups").set({ time_zone: "Asia/Tokyo" }).execute();
  await ask();
  expect(await spentOf(`group:${group} 2026-12`)).toBe(charged());
  expect(await spentOf(own("2026-12"))).toBe(charged());
  await database.updateTable("account_groups").set({ time_zone: "UTC" }).execute();
  await ask();
  expect(await spentOf(`group:${group} 2026-11`)).toBe(charged());
  expect(await spentOf(own("2026-11"))).toBe(charged());
});

it("P5 a call over the end of a month is counted in the month of its beginning, in budgets and in the usage", async () => {
  await setBudgetsOf(chat.app, chat.ada.user.id, { budget: MUCH });
  clock.advance(4 * HOUR - MINUTE);
  const end = await beginCall();
  clock.advance(2 * MINUTE);
  await end();
  const first = charged();
  await ask();
  for (const scope of [`account:${chat.ada.user.id}`, "installation"]) {
    expect(await spentOf(`${scope} 2026-11`)).toBe(first);
    expect(await spentOf(`${scope} 2026-12`)).toBe(charged() - first);
  }
  const { months } = await readUsage();
  expect(months.slice(0, 2).map(({ month, calls }) => [month, calls])).toEqual([
    ["2026-12", 1],
    ["2026-11", 1],
  ]);
});
