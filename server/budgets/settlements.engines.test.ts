import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { chargedBy, pricedModel, settledBudget, sweepBudgetsUntil } from "../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { startTwoProcesses } from "../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { readReply } from "../../testing/http/read-events.ts";

const tariffs = { plain: { input: 250_000n, output: 2_000_000n } };
const PLAIN = "LOCAL:plain";
const HELD = "[scenario:held]";
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startChatWithModels([pricedModel(PLAIN, tariffs.plain)], { MONTHLY_BUDGET_USD: "10" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  chat.app.logLines.length = 0;
  for (const table of ["model_calls", "budget_totals"] as const)
    await chat.app.context.database.deleteFrom(table).execute();
  await chat.renew();
});

const temporary = (message: string) => {
  const body = { messages: [{ role: "user", content: message }], model: PLAIN };
  return chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
};
const isRefused = () => chat.app.logLines.some((line) => line.includes("could not be stored yet"));

/** Returns the purposes of the counted calls and their cost, once nothing is reserved. */
async function settled() {
  const { spent } = await settledBudget(chat.app);
  const calls = await chat.app.context.database.selectFrom("model_calls").selectAll().execute();
  const cost = calls.reduce((sum, { cost_nano_usd: each }) => sum + (each ?? 0), 0);
  return { purposes: calls.map(({ purpose }) => purpose).sort(), cost, spent };
}

/** Runs work while the database refuses to count calls of that purpose, until it has refused one. */
async function whileRefused(purpose: string, work: () => Promise<unknown>): Promise<void> {
  const { database } = chat.app.context;
  const [refuse, allow] = isOnPostgres
    ? [
        `alter table model_calls add constraint refused check (purpose <> '${purpose}')`,
        "alter table model_calls drop constraint refused",
      ]
    : [
        `create trigger refused before insert on model_calls when new.purpose = '${purpose}'
          begin select raise(abort, 'disk I/O error'); end`,
        "drop trigger refused",
      ];
  await sql.raw(refuse).execute(database);
  const done = work();
  await vi.waitUntil(isRefused).finally(() => sql.raw(allow).execute(database));
  await done;
}

describe("calls that end while the database refuses to count them", () => {
  it("a temporary reply is counted and settled once the database accepts it", async () => {
    await whileRefused("temporary", async () => readReply(await temporary("Hello")));
    const cost = chargedBy(chat.provider, tariffs);
    expect(await settled()).toEqual({ purposes: ["temporary"], cost, spent: cost });
  });

  it("a reply is counted and settled once the database accepts it", async () => {
    await chat.call("PATCH", "", { title: "Named" });
    await whileRefused("reply", async () => readReply(await chat.stream({ model: PLAIN })));
    const cost = chargedBy(chat.provider, tariffs);
    expect(await settled()).toEqual({ purposes: ["reply"], cost, spent: cost });
  });

  it("a title is counted and settled once the database accepts it", async () => {
    await whileRefused("title", async () => readReply(await chat.stream({ model: PLAIN })));
    const cost = chargedBy(chat.provider, tariffs);
    expect(await settled()).toEqual({ purposes: ["reply", "title"], cost, spent: cost });
  });

  it("a test of a provider is counted, settled and recorded once the database accepts it", async () => {
    const { token, user } = await signUpAs(chat.app, "administrator");
    const test = () =>
      chat.app.call("POST", administrationPaths.providerCheck("local"), { token, body: { model: PLAIN } });
    await whileRefused("test", async () => expect((await test()).status).toBe(200));
    const cost = chargedBy(chat.provider, tariffs);
    expect(await settled()).toEqual({ purposes: ["test"], cost, spent: cost });
    const records = chat.app.context.database.selectFrom("audit_events").select("kind").where("actor", "=", user.id);
    expect(await records.execute()).toEqual([{ kind: "provider-tested" }]);
  });
});

it.runIf(isOnPostgres)("a reply that ends while another transaction locks the budget is settled later", async () => {
  const response = await temporary(HELD);
  await chat.provider.untilHeld(1);
  await chat.app.context.database.transaction().execute(async (db) => {
    await db.selectFrom("budget_totals").selectAll().forUpdate().execute();
    chat.provider.release("Words");
    chat.provider.finish();
    await vi.waitUntil(isRefused);
  });
  await readReply(response);
  const cost = chargedBy(chat.provider, tariffs);
  expect(await settled()).toEqual({ purposes: ["temporary"], cost, spent: cost });
});

describe("sweeps of reservations", () => {
  it("a reservation of this process that no call holds is booked by a later sweep, and a held one is not", async () => {
    const { budgets, database } = chat.app.context;
    const response = await temporary(HELD);
    await chat.provider.untilHeld(1);
    // As after a commit whose confirmation was lost: the reservation is stored, and nothing has begun.
    const row = await database.selectFrom("budget_reservations").selectAll().executeTakeFirstOrThrow();
    await database
      .insertInto("budget_reservations")
      .values({ ...row, id: "lost", amount: 1000 })
      .execute();
    await database
      .updateTable("budget_totals")
      .set((eb) => ({ reserved: eb("reserved", "+", 1000) }))
      .execute();
    await budgets.sweep(0);
    expect((await budgets.budgetOf())?.spent).toBe(0);
    await budgets.sweep(HOUR);
    expect(await budgets.budgetOf()).toMatchObject({ spent: 1000, reserved: row.amount });
    chat.provider.release("Words");
    chat.provider.finish();
    await readReply(response);
    expect((await settledBudget(chat.app)).spent).toBe(1000 + chargedBy(chat.provider, tariffs));
  });

  it.runIf(isOnPostgres)(
    "a running call of a process whose lease lapses for a moment is not booked by another",
    async () => {
      const model = "GPT:gpt-5-mini";
      await using processes = await startTwoProcesses({ MONTHLY_BUDGET_USD: "10" });
      const { one, other, provider } = processes;
      const { token } = await processes.renew();
      const body = { messages: [{ role: "user", content: HELD }], model };
      const response = await one.call("POST", conversationPaths.temporaryReply, { token, body });
      await provider.untilHeld(1);
      const reserved = (await other.context.budgets.budgetOf())?.reserved;
      const { database, budgets, clock } = other.context;
      await vi.waitUntil(() => other.context.leases.mayJudge);
      const { processId } = one.context.ownership;
      await database.updateTable("processes").set({ lease_until: 0 }).where("id", "=", processId).execute();
      await budgets.sweep(clock.now());
      expect(await budgets.budgetOf()).toMatchObject({ spent: 0, reserved });
      provider.release("Words");
      provider.finish();
      await readReply(response);
      const { spent } = await settledBudget(other);
      expect(spent).toBe(chargedBy(provider, { "gpt-5-mini": tariffs.plain }));
    },
  );

  it.runIf(isOnPostgres)(
    "a reservation of a dead process is booked only by a process whose own lease is renewed",
    async () => {
      await using processes = await startTwoProcesses({ MONTHLY_BUDGET_USD: "10" });
      const { one, other, provider } = processes;
      const { token } = await processes.renew();
      const body = { messages: [{ role: "user", content: HELD }], model: "GPT:gpt-5-mini" };
      const response = await one.call("POST", conversationPaths.temporaryReply, { token, body });
      await provider.untilHeld(1);
      const { budgets, database, leases } = other.context;
      await database.updateTable("budget_reservations").set({ owner: "gone" }).execute();
      for (let now = 0; !leases.mayJudge; now += HOUR) {
        await budgets.sweep(now);
        if (!leases.mayJudge) expect(await budgets.budgetOf()).toMatchObject({ spent: 0 });
      }
      const reserved = (await budgets.budgetOf())?.reserved;
      await sweepBudgetsUntil(other, async () => (await budgets.budgetOf())?.reserved === 0);
      expect((await budgets.budgetOf())?.spent).toBe(reserved);
      await response.body?.cancel();
    },
  );
});
