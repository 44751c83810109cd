import { vi } from "vitest";
import type { Chat } from "#contract/conversation.ts";
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
  await vi.waitUntil(async () => (await budgets.budgetOf())?.reserved === 0);
  const budget = await budgets.budgetOf();
  if (!budget) throw new Error("There is no budget");
  return budget;
}

/** Sends a question in a new chat of a new account, and does not read the reply. @returns the status */
export async function sendAsNewPerson(app: TestApp, message: string, model: string): Promise<number> {
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  const response = await app.call("POST", `/chat/${id}/send?stream=1`, { token, body: { message, model } });
  await response.body?.cancel();
  return response.status;
}
