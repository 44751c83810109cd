import { vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { HOUR } from "#contract/limits.ts";
import { newId } from "../../server/database/new-id.ts";
import type { AccountGroupRow, BudgetTotalRow, UserRow } from "../../server/database/schema.ts";
import type { CatalogueModel } from "../../server/models/catalogue.ts";
import { signUp } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { invoiceOf, type Tariff, toPrice, totalOf } from "../provider/invoice.ts";
import type { ScriptedProvider, ScriptedRequest } from "../provider/scripted-provider.ts";
import type { WireTokens } from "../provider/wire.ts";

/** Returns a model of the catalogue whose prices are those of an invoice. */
export function pricedModel(value: string, tariff: Tariff, more: Partial<CatalogueModel> = {}): CatalogueModel {
  const { input: inputPrice, output: outputPrice, cacheWrite } = toPrice(tariff);
  const prices = { inputPrice, outputPrice, ...(cacheWrite !== undefined && { cacheWritePrice: cacheWrite }) };
  return { label: value, value, contextTokens: 100_000, maxOutputTokens: 2000, ...prices, ...more };
}

/** Returns the limit of the answer that a request names, in any wire format; NaN if there is none. */
export function limitOf({ body }: Pick<ScriptedRequest, "body">): number {
  return Number(body.max_output_tokens ?? body.max_completion_tokens ?? body.max_tokens);
}

/** Charges the longest answer that a request allows. */
export const longestAnswers = (request: ScriptedRequest): WireTokens => ({
  input: 21,
  cached: 0,
  output: limitOf(request),
  reasoning: 0,
});

/** Returns what the provider has charged, in 1e-9 US dollars. @param tariffs by its names of the models */
export function chargedBy(provider: ScriptedProvider, tariffs: Readonly<Record<string, Tariff>>): number {
  const calls = provider.charged.map(({ model, charges }) => {
    const tariff = tariffs[model];
    if (!tariff) throw new Error(`The model ${model} has no tariff`);
    return { model, tariff, charges };
  });
  return Number(totalOf(invoiceOf(calls)));
}

/** Returns the state of the month's budget once nothing is reserved any more. */
export async function settledBudget({ context: { budgets } }: TestApp) {
  return vi.waitUntil(async () => {
    const budget = await budgets.budgetOf();
    return budget?.reserved === 0 ? budget : null;
  });
}

/** Sends a question in a new chat of a new account, and does not read the reply. @returns the status */
export async function sendAsNewPerson(app: TestApp, message: string, model: string): Promise<number> {
  return sendInNewChat(app, (await signUp(app)).token, { message, model });
}

/** Sends that a browser makes before it gives up; each waits for a lock for a second. */
const TRIES = 20;

/**
 * Sends a question in a new chat, and does not read the reply. Repeats a send that had to wait for a lock for too long,
 * as browsers do: on a busy machine many sends wait for the sum of one budget. @returns the status
 */
export async function sendInNewChat(
  app: TestApp,
  token: string,
  body: { message: string; model: string },
): Promise<number> {
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  for (let tries = 1; ; tries++) {
    const response = await app.call("POST", `/chat/${id}/send?stream=1`, { token, body });
    await response.body?.cancel();
    if (response.status !== 503 || tries === TRIES) return response.status;
  }
}

/** Inserts a group; by default without budgets and in UTC. Amounts in 1e-9 US dollars. @returns its id */
export async function insertGroup({ context }: TestApp, columns: Partial<AccountGroupRow> = {}): Promise<string> {
  const id = newId();
  const none = { models: null, default_model: null, quota_mb: null, budget: null, member_budget: null };
  const usual = { ...none, needs_second_factor: 0, may_share: 1, time_zone: "UTC", created_at: 0 };
  const row = { id, name: id, name_key: id, ...usual, ...columns };
  await context.database.insertInto("account_groups").values(row).execute();
  return id;
}

/** Sets the group or the own budget of an account. */
export async function setBudgetsOf(
  { context }: TestApp,
  userId: string,
  columns: Partial<Pick<UserRow, "group_id" | "budget">>,
): Promise<void> {
  await context.database.updateTable("users").set(columns).where("id", "=", userId).execute();
}

/** Returns the token of a new account in a group. */
export async function signUpInGroup(app: TestApp, groupId: string): Promise<string> {
  const { token, user } = await signUp(app);
  await setBudgetsOf(app, user.id, { group_id: groupId });
  return token;
}

/** Counts answers by their status, so that an unexpected one is shown by the assertion. */
export function countStatuses(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

type Sums = Pick<BudgetTotalRow, "spent" | "reserved">;

/** Returns the sums of all budgets by scope and month, such as `installation 2026-11`, once nothing is reserved. */
export async function settledSums({ context: { database } }: TestApp): Promise<Record<string, Sums>> {
  const sums = () => database.selectFrom("budget_totals").selectAll().orderBy("scope").orderBy("month").execute();
  // In one statement: the call for a title may reserve after that of the reply was settled.
  const rows = await vi.waitUntil(async () => {
    const found = await sums();
    return found.every(({ reserved }) => reserved === 0) ? found : null;
  });
  return Object.fromEntries(
    rows.map(({ scope, month, spent, reserved }) => [`${scope} ${month}`, { spent, reserved }]),
  );
}

/** Sweeps budgets again and again, as after an hour each, until what they had found twice is booked. */
export async function sweepBudgetsUntil({ context: { budgets, clock } }: TestApp, isDone: () => Promise<boolean>) {
  let now = clock.now();
  await vi.waitUntil(async () => {
    await budgets.sweep(now);
    now += HOUR;
    return isDone();
  });
}
