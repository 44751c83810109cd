import type { ModelOption } from "#contract/models/models.ts";
import { costText } from "../locales/cost-text.ts";
import modelFacts from "../locales/en/modelFacts.json";
import { i18n, registerTexts } from "../locales/i18n.ts";

registerTexts("modelFacts", modelFacts);

type Facts = Partial<
  Pick<ModelOption, "images" | "pdf" | "tools" | "reasoning" | "efforts" | "contextTokens" | "price">
>;

/** Whether the model reasons before it answers: it says so, or its efforts of reasoning do. */
export const reasons = ({ reasoning, efforts = [] }: Facts): boolean => reasoning === true || efforts.length > 0;

/** Whether the list of models shows a fact about the model. */
export const hasFacts = (model: Facts): boolean =>
  model.images === true ||
  model.tools === true ||
  reasons(model) ||
  model.contextTokens !== undefined ||
  model.price !== undefined;

const isFree = ({ input, output }: NonNullable<Facts["price"]>) => input === 0 && output === 0;

/** Returns the facts in words: what the model can do, its context window and its price. */
export function factTexts(model: Facts, locale: string): string[] {
  const { images, pdf, tools, contextTokens, price } = model;
  const numbers = new Intl.NumberFormat(locale);
  const money = (usd: number) => costText(usd, false, locale);
  const facts = [
    images && i18n.t("modelFacts:images"),
    pdf && i18n.t("modelFacts:pdf"),
    tools && i18n.t("modelFacts:tools"),
    reasons(model) && i18n.t("modelFacts:reasoning"),
    contextTokens !== undefined && i18n.t("modelFacts:context", { tokens: numbers.format(contextTokens) }),
    price &&
      (isFree(price)
        ? i18n.t("modelFacts:free")
        : i18n.t("modelFacts:price", { input: money(price.input), output: money(price.output) })),
  ];
  return facts.filter((fact) => typeof fact === "string");
}

/** Returns a context window in short, such as `128k` or `1M`: in thousands, or in units of 1,024 if it is a multiple. */
export function windowText(tokens: number, locale: string): string {
  const base = tokens % 1024 === 0 ? 1024 : 1000;
  const [amount, unit] = tokens < base ** 2 ? [tokens / base, "k"] : [tokens / base ** 2, "M"];
  const digits = amount < 10 ? 1 : 0;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(amount)}${unit}`;
}

/** Returns the prices of input and output in short, such as `$3 / $15`; the word for a price of zero. */
export function priceText(price: NonNullable<Facts["price"]>, locale: string): string {
  if (isFree(price)) return i18n.t("modelFacts:free");
  const short = (usd: number) => costText(usd, false, locale).replace(/[.,٫]00(?!\d)/, "");
  return `${short(price.input)} / ${short(price.output)}`;
}
