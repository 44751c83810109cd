import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import type { ConnectionModel, ModelChanges } from "#contract/administration/connections.ts";
import { type Effort, efforts } from "#contract/models/effort.ts";
import { CONTEXT_TOKENS_MIN, MODEL_LABEL_MAX, type ModelOverrides } from "#contract/models/model-facts.ts";
import { rule } from "#contract/text/validation.ts";
import { failureText } from "../../../forms/failure-text.ts";
import { useCheckedForm } from "../../../forms/use-checked-form.ts";
import { enteredPrice, enteredTokens } from "../entered-numbers.ts";
import { isChat } from "./model-words.ts";

/** Facts that are true, false, or as the server reports. */
export const switchableFacts = ["images", "pdf", "tools", "reasoning"] as const;

const invalid = { error: rule("invalid") };
const text = () => z.string().check(z.overwrite((entered: string) => entered.trim()));
const tokens = (min: number) => text().check(z.refine((entered) => enteredTokens(entered, min) !== undefined, invalid));
const price = () => text().check(z.refine((entered) => enteredPrice(entered) !== undefined, invalid));
const flag = () => z.enum(["", "yes", "no"]);

const formSchema = z
  .object({
    label: text().check(z.maxLength(MODEL_LABEL_MAX, { error: rule("max", MODEL_LABEL_MAX) })),
    contextTokens: tokens(CONTEXT_TOKENS_MIN),
    maxOutputTokens: tokens(1),
    images: flag(),
    pdf: flag(),
    tools: flag(),
    reasoning: flag(),
    input: price(),
    output: price(),
    cacheRead: price(),
    cacheWrite: price(),
    efforts: text().check(z.refine((entered) => enteredEfforts(entered) !== undefined, invalid)),
    isChat: z.optional(z.literal("yes")),
  })
  .check(
    z.refine(({ input, output }) => input === "" || output !== "", { path: ["output"], error: rule("required") }),
    z.refine(({ input, output }) => output === "" || input !== "", { path: ["input"], error: rule("required") }),
    // A price of the cache alone says nothing about the rest.
    z.refine(({ input, cacheRead, cacheWrite }) => `${cacheRead}${cacheWrite}` === "" || input !== "", {
      path: ["input"],
      error: rule("required"),
    }),
  );

/** Form of what an owner enters about a model. @param save sends the changes, after a proof */
export function useModelForm(model: ConnectionModel, save: (changes: ModelChanges["changes"]) => Promise<void>) {
  const { t } = useTranslation("connections");
  return useCheckedForm({
    schema: formSchema,
    labels: {
      label: t("fields.label"),
      contextTokens: t("fields.contextTokens"),
      maxOutputTokens: t("fields.maxOutputTokens"),
      input: t("fields.input"),
      output: t("fields.output"),
      cacheRead: t("fields.cacheRead"),
      cacheWrite: t("fields.cacheWrite"),
      efforts: t("fields.efforts"),
    },
    textOf: failureText,
    send: async (entered) => {
      const overrides = overridesOf(model, entered);
      await save([{ name: model.name, overrides: Object.keys(overrides).length === 0 ? null : overrides }]);
      return null;
    },
  });
}

/** Reads names of efforts. @returns ascending; null for none; undefined if a name is none of an effort */
function enteredEfforts(entered: string): Effort[] | null | undefined {
  const names = entered
    .toLowerCase()
    .split(/[\s,،、，]+/)
    .filter((name) => name !== "");
  if (names.length === 0) return null;
  return names.every((name) => efforts.some((effort) => effort === name))
    ? efforts.filter((effort) => names.includes(effort))
    : undefined;
}

/** Returns the new overrides: entered fields replace the earlier ones, empty ones remove them, all others stay. */
function overridesOf(model: ConnectionModel, entered: z.infer<typeof formSchema>): ModelOverrides {
  const { label, contextTokens, maxOutputTokens, input, output } = entered;
  const next = new Map<string, unknown>(Object.entries(model.overrides));
  const put = (name: keyof ModelOverrides, value: unknown) =>
    value === undefined || value === null || value === "" ? next.delete(name) : next.set(name, value);
  put("label", label);
  put("contextTokens", enteredTokens(contextTokens, CONTEXT_TOKENS_MIN));
  put("maxOutputTokens", enteredTokens(maxOutputTokens, 1));
  for (const fact of switchableFacts) put(fact, entered[fact] === "" ? undefined : entered[fact] === "yes");
  const [perInput, perOutput] = [enteredPrice(input), enteredPrice(output)];
  const isPriced = typeof perInput === "number" && typeof perOutput === "number";
  const [cacheRead, cacheWrite] = [enteredPrice(entered.cacheRead), enteredPrice(entered.cacheWrite)];
  const ofCache = {
    ...(typeof cacheRead === "number" && { cacheRead }),
    ...(typeof cacheWrite === "number" && { cacheWrite }),
  };
  put("price", isPriced ? { input: perInput, output: perOutput, ...ofCache } : undefined);
  put("efforts", enteredEfforts(entered.efforts));
  const wantsChat = entered.isChat === "yes";
  if (wantsChat !== isChat(model))
    put("isChat", wantsChat === (model.facts.purpose === undefined) ? undefined : wantsChat);
  return Object.fromEntries(next) as ModelOverrides;
}
