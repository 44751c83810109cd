import * as z from "zod/mini";
import { AUTO_MODEL } from "#contract/models.ts";
import type { ProviderName } from "./model.ts";
import { parseJson } from "./providers/wire-json.ts";

/**
 * Model of the catalogue. Token limits are those of {@link Model}; prices are in US dollars per million tokens.
 * `takesTemperature`: a temperature may be sent unless this is `false`.
 */
export type CatalogueModel = {
  label: string;
  value: string;
  contextTokens: number;
  maxOutputTokens: number;
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
  takesTemperature?: boolean | undefined;
};
export type Catalogue = {
  groups: readonly { label: string; models: readonly CatalogueModel[] }[];
  /** Values of models in the order of automatic choice; local models follow. */
  automatic: readonly string[];
};

const PREFIXES = { GPT: "openai", CLAUDE: "anthropic", LOCAL: "local" } as const satisfies Record<string, ProviderName>;
const VALUE = /^(GPT|CLAUDE|LOCAL):(\S.*)$/;

/** Splits a value such as `GPT:gpt-5-mini` into provider and name. Returns `undefined` if it is malformed. */
export function parseModelValue(
  value: string,
): { provider: "openai" | "anthropic" | "local"; name: string } | undefined {
  const [, prefix, name] = VALUE.exec(value) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  return { provider: PREFIXES[prefix as keyof typeof PREFIXES], name };
}

// GPT-5's window is 400,000 tokens, of which at most 272,000 are prompt.
const gpt5 = { contextTokens: 300_000, maxOutputTokens: 32_768, takesTemperature: false };
// A reply may have up to 64,000 tokens (3.5: 8,192). The limit here is lower, because the provider counts it against
// the rate limit at the start of a call.
const claude4 = { contextTokens: 200_000, maxOutputTokens: 16_384 };

export const defaultCatalogue: Catalogue = {
  groups: [
    {
      label: "GPT",
      models: [
        { label: "gpt-4.1-nano", value: "GPT:gpt-4.1-nano", contextTokens: 1_000_000, maxOutputTokens: 32_768 },
        { label: "gpt-5-nano", value: "GPT:gpt-5-nano", ...gpt5 },
        { label: "gpt-5-mini", value: "GPT:gpt-5-mini", ...gpt5 },
        { label: "gpt-5", value: "GPT:gpt-5", ...gpt5 },
      ],
    },
    {
      label: "Antropic",
      models: [
        {
          label: "Claude Sonnet 3.5 (20241022)",
          value: "CLAUDE:claude-3-5-sonnet-20241022",
          contextTokens: 200_000,
          maxOutputTokens: 8192,
        },
        { label: "Claude Sonnet 4 (20250514)", value: "CLAUDE:claude-sonnet-4-20250514", ...claude4 },
        { label: "Claude Sonnet 4.5 (20250929)", value: "CLAUDE:claude-sonnet-4-5-20250929", ...claude4 },
      ],
    },
  ],
  automatic: ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929"],
};

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
      z.regex(VALUE, { error: "must be GPT:name, CLAUDE:name or LOCAL:name" }),
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

const modelSchema = z
  .strictObject({
    label: label(),
    value: value(),
    contextTokens: tokens(),
    maxOutputTokens: tokens(),
    inputPrice: price(),
    outputPrice: price(),
    takesTemperature: z.optional(z.boolean({ error: "must be true or false" })),
  })
  .check(
    z.refine((model) => (model.inputPrice === undefined) === (model.outputPrice === undefined), {
      error: "and outputPrice are named together or not at all",
      path: ["inputPrice"],
    }),
    z.refine((model) => model.maxOutputTokens < model.contextTokens, {
      error: "must be less than contextTokens",
      path: ["maxOutputTokens"],
    }),
  );

const catalogueSchema = z.strictObject({
  groups: z
    .array(z.strictObject({ label: label(), models: z.array(modelSchema, { error: "must be a list" }) }), {
      error: "must be a list",
    })
    .check(z.minLength(1, { error: "must not be empty" })),
  automatic: z.optional(z.array(value(), { error: "must be a list of values" })),
});

export type ParsedCatalogue = { ok: true; catalogue: Catalogue } | { ok: false; problems: string[] };

/**
 * Parses the text of a `MODELS_FILE`: JSON in the form of {@link Catalogue}. Without `automatic`, the order is that of
 * the default models in the file, else the first model of each provider. Returns all problems at once.
 */
export function parseCatalogue(text: string): ParsedCatalogue {
  const json = parseJson(text);
  if (json === undefined) return { ok: false, problems: ["is not valid JSON"] };
  const result = catalogueSchema.safeParse(json);
  if (!result.success) return { ok: false, problems: result.error.issues.map(problemOf) };
  const { groups, automatic } = result.data;
  const values = groups.flatMap(({ models }) => models.map((model) => model.value));
  const twice = new Set(values.filter((entry, index) => values.indexOf(entry) !== index));
  const absent = (automatic ?? []).filter((entry) => !values.includes(entry));
  const problems = [
    ...[...twice].map((entry) => `groups: ${entry} is listed twice`),
    ...absent.map((entry) => `automatic: ${entry} is in none of the groups`),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, catalogue: { groups, automatic: automatic ?? automaticOf(values) } };
}

function problemOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>(
    (done, key) => (typeof key === "number" ? `${done}[${key}]` : done === "" ? String(key) : `${done}.${String(key)}`),
    "",
  );
  const message =
    issue.code === "unrecognized_keys"
      ? `has unknown keys: ${issue.keys.join(", ")}`
      : issue.message === "Invalid input"
        ? "is missing or not an object"
        : issue.message;
  return path === "" ? `the file ${message}` : `${path} ${message}`;
}

function automaticOf(values: readonly string[]): string[] {
  const known = defaultCatalogue.automatic.filter((entry) => values.includes(entry));
  if (known.length > 0) return known;
  const firsts = new Map<string, string>();
  for (const entry of values) {
    const provider = parseModelValue(entry)?.provider;
    if (provider && !firsts.has(provider)) firsts.set(provider, entry);
  }
  return [...firsts.values()];
}

/** Whether a choice asks for automatic choice of the model. */
export function isAutomatic(choice: string | undefined): choice is undefined | "" | typeof AUTO_MODEL {
  return choice === undefined || choice === "" || choice === AUTO_MODEL;
}
