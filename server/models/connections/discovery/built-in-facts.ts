import type { FixedSlug } from "#contract/administration/connections.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import type { CatalogueModel } from "../../catalogue.ts";
import { builtInModel } from "../../default-catalogue.ts";
import { priceOf } from "../../prices.ts";
import { validFacts } from "./facts.ts";
import type { ServerName } from "./server-name.ts";

const SLUGS: Partial<Readonly<Record<ServerName, FixedSlug>>> = { openai: "GPT", anthropic: "CLAUDE" };
/** Date of a model's version at the end of its name. */
const VERSION = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** Returns the built-in facts of a model of OpenAI itself or Anthropic, with its public price. */
export function builtInFacts(server: ServerName, name: string): CatalogueModel | undefined {
  const slug = SLUGS[server];
  const model = slug && (builtInModel(`${slug}:${name}`) ?? builtInModel(`${slug}:${name.replace(VERSION, "")}`));
  if (!model) return undefined;
  const price = priceOf(model);
  // The successor is a model of another connection.
  const { successor, ...facts } = model;
  return {
    ...facts,
    ...(price && {
      inputPrice: price.input,
      outputPrice: price.output,
      cacheReadPrice: price.cacheRead,
      cacheWritePrice: price.cacheWrite,
    }),
  };
}

/** Returns the facts of the model of OpenAI behind a deployment of Azure, which has prices of its own. */
export function azureFacts(model: string): ModelFacts {
  const known = builtInFacts("openai", model);
  if (!known) return {};
  const { contextTokens, maxOutputTokens, images, pdf, tools, reasoning, efforts } = known;
  const isReasoning = reasoning !== undefined && reasoning !== "none";
  const list = efforts && [...efforts];
  return validFacts({ contextTokens, maxOutputTokens, images, pdf, tools, reasoning: isReasoning, efforts: list });
}
