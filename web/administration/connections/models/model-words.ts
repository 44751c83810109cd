/** Words for the facts of a model. */

import type { ConnectionModel } from "#contract/administration/connections.ts";
import type { ModelPrice } from "#contract/models/model-facts.ts";
import { costText } from "../../../locales/cost-text.ts";
import { i18n } from "../../../locales/i18n.ts";
import { tokensText } from "../../../usage/usage-words.ts";

/** Facts whose absence matters. */
export const askedFacts = ["contextTokens", "images", "tools", "price"] as const;

/** Returns what is known of a model: what an owner has entered is stronger than what the server reports. */
export const knownOf = ({ facts, overrides }: Pick<ConnectionModel, "facts" | "overrides">) => ({
  ...facts,
  ...overrides,
});

/** Returns whether a model can chat. */
export const isChat = ({ facts, overrides }: Pick<ConnectionModel, "facts" | "overrides">): boolean =>
  overrides.isChat ?? facts.purpose === undefined;

/** Returns the known facts as short words, e.g. `128,000 tokens`, `Pictures`, `No tools`. */
export function wordsOfFacts(model: ConnectionModel): string[] {
  const { contextTokens, maxOutputTokens, images, pdf, tools, reasoning, price } = knownOf(model);
  const t = i18n.getFixedT(null, "connections");
  const tokens = (count: number) => tokensText(count, false, i18n.language);
  return [
    contextTokens !== undefined && t("facts.window", { tokens: tokens(contextTokens) }),
    maxOutputTokens !== undefined && t("facts.output", { tokens: tokens(maxOutputTokens) }),
    images !== undefined && t(images ? "facts.images" : "facts.noImages"),
    pdf === true && t("facts.pdf"),
    tools !== undefined && t(tools ? "facts.tools" : "facts.noTools"),
    reasoning === true && t("facts.reasoning"),
    price !== undefined && priceText(price),
  ].filter((text) => text !== false);
}

function priceText({ input, output }: ModelPrice): string {
  const money = (usd: number) => costText(usd, false, i18n.language);
  return i18n.t("connections:facts.price", { input: money(input), output: money(output) });
}

/** Returns the names of the asked facts that are not known. */
export function unknownTexts(model: ConnectionModel): string[] {
  const known = knownOf(model);
  return askedFacts.filter((fact) => known[fact] === undefined).map((fact) => i18n.t(`connections:unknown.${fact}`));
}
