import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY, HOUR } from "#contract/limits.ts";
import { startTestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { chargedBy, insertGroup, pricedModel, setBudgetsOf, settledSums } from "../../testing/chats/budgets.ts";
import { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { periodIn } from "./months.ts";

const tariffs = { plain: { input: 250_000n, output: 2_000_000n } };
const PLAIN = "LOCAL:plain";
const MUCH = 1e10;
const ZONES = ["UTC", "Asia/Tokyo", "Pacific/Honolulu"];

let chat: ScriptedChat;
let clock: TestClock;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-sequences-"));
  const file = join(folder, "models.json");
  const groups = [{ label: "All", models: [pricedModel(PLAIN, tariffs.plain)] }];
  await writeFile(file, JSON.stringify({ groups, automatic: [PLAIN] }));
  const provider = await startScriptedProvider();
  clock = new TestClock(Date.UTC(2026, 0, 31, 20));
  const env = { LOCAL_BASE_URL: provider.baseUrl, RATE_LIMITS: "off", MODELS_FILE: file, MONTHLY_BUDGET_USD: "100" };
  chat = new ScriptedChat(provider, await startTestApp({ clock, env }));
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A call that the provider has charged. `group`: number of the account's group; undefined if it changed meanwhile. */
type Charged = { at: number; cost: number; group: number | null | undefined };

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: "call" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "begin or end" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("budget" as const), budget: fc.constantFrom(MUCH, null) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("group" as const), group: fc.constantFrom(0, 1, null) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("group budget" as const), budget: fc.constantFrom(MUCH, null) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("zone" as const), zone: fc.constantFrom(...ZONES) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.constantFrom(1, 6, 40) }) },
);

/** Makes the changes and calls of one account in two groups, and records what its calls cost. */
class Run {
  readonly charged: Charged[] = [];
  readonly groups: readonly string[];
  hasOtherZone = false;
  #group: number | null = null;
  #held: { at: number; group: number | null | undefined; response: Response } | undefined;

  constructor(groups: readonly string[]) {
    this.groups = groups;
  }

  static async begin(): Promise<Run> {
    await chat.renew();
    await chat.call("PATCH", "", { title: "Fjords" });
    return new Run([await insertGroup(chat.app, { member_budget: MUCH }), await insertGroup(chat.app)]);
  }

  async take(next: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
    const { database } = chat.app.context;
    const { id } = chat.ada.user;
    if (next.kind === "call") await this.call();
    else if (next.kind === "begin or end") await (this.#held ? this.end() : this.#begin());
    else if (next.kind === "wait") clock.advance(next.hours * HOUR);
    else if (next.kind === "budget") await setBudgetsOf(chat.app, id, { budget: next.budget });
    else if (next.kind === "group") await this.#move(next.group);
    else if (next.kind === "group budget") {
      await database
        .updateTable("account_groups")
        .set({ budget: next.budget })
        .where("id", "in", this.groups)
        .execute();
    } else {
      this.hasOtherZone ||= next.zone !== "UTC";
      await database
        .updateTable("account_groups")
        .set({ time_zone: next.zone })
        .where("id", "in", this.groups)
        .execute();
    }
  }

  async #move(group: number | null): Promise<void> {
    if (this.#held && group !== this.#group) this.#held.group = undefined;
    this.#group = group;
    const group_id = group === null ? null : (this.groups[group] ?? null);
    await setBudgetsOf(chat.app, chat.ada.user.id, { group_id });
  }

  async #begin(): Promise<void> {
    chat.provider.next("held");
    const at = clock.now();
    const response = await chat.stream({ model: PLAIN });
    await chat.provider.untilHeld(1);
    this.#held = { at, group: this.#group, response };
  }

  async end(): Promise<void> {
    if (!this.#held) return;
    const { response, ...call } = this.#held;
    this.#held = undefined;
    await this.#record(call, async () => {
      chat.provider.release("Word");
      await chat.provider.untilHeld(1);
      chat.provider.finish();
      await readReply(response);
    });
  }

  async call(): Promise<void> {
    await this.end();
    const call = { at: clock.now(), group: this.#group };
    await this.#record(call, async () => void (await readReply(await chat.stream({ model: PLAIN }))));
  }

  async #record(call: Omit<Charged, "cost">, work: () => Promise<void>): Promise<void> {
    const before = chargedBy(chat.provider, tariffs);
    await work();
    this.charged.push({ ...call, cost: chargedBy(chat.provider, tariffs) - before });
  }

  /** Ends with a call that is reserved in the account's budget. @returns the zone of its month */
  async finish(): Promise<string> {
    await setBudgetsOf(chat.app, chat.ada.user.id, { budget: MUCH });
    await this.call();
    const group = this.#group === null ? undefined : this.groups[this.#group];
    if (group === undefined) return "UTC";
    const rows = await chat.app.context.database.selectFrom("account_groups").selectAll().execute();
    return rows.find(({ id }) => id === group)?.time_zone ?? "UTC";
  }
}

const sumOf = (calls: readonly Charged[]) => calls.reduce((sum, { cost }) => sum + cost, 0);

it("P5 any sequence of budgets, groups, time zones and months books each call of a month, and books it once", async () => {
  const all: Charged[] = [];
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
    const run = await Run.begin();
    for (const next of steps) await run.take(next);
    const zone = await run.finish();
    all.push(...run.charged);
    const sums = await settledSums(chat.app);
    const { month, beginsAt, endsAt } = periodIn(zone, clock.now());
    const invoice = sumOf(run.charged.filter(({ at }) => at >= beginsAt && at < endsAt));
    const booked = sums[`account:${chat.ada.user.id} ${month}`]?.spent ?? 0;
    expect(booked).toBeGreaterThanOrEqual(invoice);
    if (!run.hasOtherZone) expect(booked).toBe(invoice);
    for (const [key, { spent, reserved }] of Object.entries(sums)) {
      expect(reserved).toBe(0);
      const [scope = "", ofMonth] = key.split(" ");
      const inMonth = (calls: readonly Charged[]) => calls.filter(({ at }) => periodIn("UTC", at).month === ofMonth);
      if (scope === "installation") expect(spent).toBe(sumOf(inMonth(all)));
      const nth = run.groups.findIndex((id) => scope === `group:${id}`);
      if (nth < 0 || run.hasOtherZone) continue;
      expect(spent).toBeGreaterThanOrEqual(sumOf(inMonth(run.charged.filter(({ group }) => group === nth))));
    }
    clock.advance(DAY);
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});
