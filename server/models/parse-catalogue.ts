import * as z from "zod/mini";
import { type Effort, efforts } from "#contract/models/effort.ts";
import { parseJson } from "../text/parse-json.ts";
import {
  apis,
  type Catalogue,
  type CatalogueModel,
  FILE_VALUE,
  modelsOf,
  parseModelValue,
  type ReasoningForm,
  reasoningForms,
  speaksMessages,
} from "./catalogue.ts";
import { defaultCatalogue } from "./default-catalogue.ts";

const tokens = () =>
  z
    .number({ error: "must be a number of tokens" })
    .check(z.int({ error: "must be a whole number" }), z.minimum(1, { error: "must be at least 1" }));
const label = () =>
  z
    .string({ error: "must be a text" })
    .check(
      z.minLength(1, { error: "must not be empty" }),
      z.maxLength(100, { error: "must be at most 100 characters long" }),
    );
const value = () =>
  z
    .string({ error: "must be a text" })
    .check(
      z.regex(FILE_VALUE, { error: "must be GPT:name, CLAUDE:name or LOCAL:name" }),
      z.maxLength(200, { error: "must be at most 200 characters long" }),
    );

const price = () =>
  z.optional(
    z
      .number({ error: "must be a number of US dollars" })
      .check(
        z.minimum(0, { error: "must not be negative" }),
        z.maximum(1_000_000, { error: "must be at most 1000000" }),
      ),
  );

const fact = () => z.optional(z.boolean({ error: "must be true or false" }));

const effortList = () =>
  z.array(z.enum(efforts, { error: `must be one of ${efforts.join(", ")}` }), { error: "must be a list" }).check(
    z.minLength(1, { error: "must not be empty" }),
    z.refine((list) => list.every((effort, at) => at === 0 || isAscending(list[at - 1], effort)), {
      error: `must be in the order ${efforts.join(", ")}`,
    }),
  );

function isAscending(before: Effort | undefined, effort: Effort): boolean {
  return before === undefined || efforts.indexOf(before) < efforts.indexOf(effort);
}

function fitsApi(reasoning: Exclude<ReasoningForm, "none">, model: Pick<CatalogueModel, "api" | "value">): boolean {
  return (reasoning !== "effort") === speaksMessages(model);
}

const OBJECT = { error: "is missing or not an object" };

const modelSchema = z
  .strictObject(
    {
      label: label(),
      value: value(),
      contextTokens: tokens(),
      maxOutputTokens: tokens(),
      inputPrice: price(),
      outputPrice: price(),
      cacheWritePrice: price(),
      cacheReadPrice: price(),
      api: z.optional(z.enum(apis, { error: "must be responses, chat-completions or messages" })),
      prefill: fact(),
      takesTemperature: fact(),
      reasoning: z.optional(z.enum(reasoningForms, { error: "must be none, effort, adaptive or budget" })),
      efforts: z.optional(effortList()),
      returnsReasoning: fact(),
      labelsAnswers: fact(),
      cacheMinTokens: z.optional(tokens()),
      images: fact(),
      pdf: fact(),
      imageOutput: fact(),
      audio: fact(),
      tools: fact(),
      successor: z.optional(value()),
    },
    OBJECT,
  )
  .check(
    z.refine((model) => (model.inputPrice === undefined) === (model.outputPrice === undefined), {
      error: "and outputPrice are named together or not at all",
      path: ["inputPrice"],
    }),
    z.refine((model) => model.cacheReadPrice === undefined || model.inputPrice !== undefined, {
      error: "needs inputPrice and outputPrice",
      path: ["cacheReadPrice"],
    }),
    z.refine((model) => model.cacheWritePrice === undefined || model.inputPrice !== undefined, {
      error: "needs inputPrice and outputPrice",
      path: ["cacheWritePrice"],
    }),
    z.refine(({ reasoning = "none", ...model }) => reasoning === "none" || fitsApi(reasoning, model), {
      error: "must be effort for responses and chat-completions, and adaptive or budget for messages",
      path: ["reasoning"],
    }),
    z.refine(({ efforts, reasoning = "none" }) => efforts === undefined || reasoning !== "none", {
      error: "needs reasoning: effort, adaptive or budget",
      path: ["efforts"],
    }),
    z.refine(({ efforts, reasoning }) => reasoning !== "adaptive" || !efforts?.includes("minimal"), {
      error: "must not include minimal for adaptive reasoning",
      path: ["efforts"],
    }),
    z.refine((model) => model.prefill !== true || speaksMessages(model), {
      error: "is only for the API messages",
      path: ["prefill"],
    }),
    z.refine((model) => model.maxOutputTokens < model.contextTokens, {
      error: "must be less than contextTokens",
      path: ["maxOutputTokens"],
    }),
  );

const modelList = () => z.array(modelSchema, { error: "must be a list" });

const catalogueSchema = z.strictObject(
  {
    groups: z
      .array(z.strictObject({ label: label(), models: modelList(), further: z.optional(modelList()) }, OBJECT), {
        error: "must be a list",
      })
      .check(z.minLength(1, { error: "must not be empty" })),
    automatic: z.optional(z.array(value(), { error: "must be a list of values" })),
  },
  OBJECT,
);

export type ParsedCatalogue = { ok: true; catalogue: Catalogue } | { ok: false; problems: string[] };

/**
 * Parses the text of a `MODELS_FILE`: JSON in the form of {@link Catalogue}. Without `automatic`, the order is that of
 * the default models in the file, else the first model of each connection. Returns all problems at once.
 */
export function parseCatalogue(text: string): ParsedCatalogue {
  const json = parseJson(text);
  if (json === undefined) return { ok: false, problems: ["is not valid JSON"] };
  const result = catalogueSchema.safeParse(json);
  if (!result.success) return { ok: false, problems: result.error.issues.map(problemOf) };
  const { groups, automatic } = result.data;
  const values = modelsOf({ groups }).map((model) => model.value);
  const twice = new Set(values.filter((entry, index) => values.indexOf(entry) !== index));
  const absent = (automatic ?? []).filter((entry) => !values.includes(entry));
  const successors = modelsOf({ groups }).flatMap(({ successor }) => successor ?? []);
  const problems = [
    ...[...twice].map((entry) => `groups: ${entry} is listed twice`),
    ...absent.map((entry) => `automatic: ${entry} is in none of the groups`),
    ...successors
      .filter((entry) => !values.includes(entry))
      .map((entry) => `successor: ${entry} is in none of the groups`),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, catalogue: { groups, automatic: automatic ?? automaticOf(groups) } };
}

function problemOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>(
    (done, key) => (typeof key === "number" ? `${done}[${key}]` : done === "" ? String(key) : `${done}.${String(key)}`),
    "",
  );
  const message = issue.code === "unrecognized_keys" ? `has unknown keys: ${issue.keys.join(", ")}` : issue.message;
  return path === "" ? `the file ${message}` : `${path} ${message}`;
}

function automaticOf(groups: Catalogue["groups"]): string[] {
  const values = groups.flatMap(({ models }) => models.map((model) => model.value));
  const known = defaultCatalogue.automatic.filter((entry) => values.includes(entry));
  if (known.length > 0) return known;
  const firsts = new Map<string, string>();
  for (const entry of values) {
    const slug = parseModelValue(entry)?.slug;
    if (slug !== undefined && !firsts.has(slug)) firsts.set(slug, entry);
  }
  return [...firsts.values()];
}
