import { type Effort, efforts } from "#contract/models/effort.ts";
import {
  CONTEXT_TOKENS_MAX,
  CONTEXT_TOKENS_MIN,
  MODEL_LABEL_MAX,
  type ModelFacts,
  type ModelPrice,
  PRICE_MAX,
} from "#contract/models/model-facts.ts";
import { countField, field, isRecord, textField } from "../../../text/wire-json.ts";
import { ModelError } from "../../model-error.ts";

const MILLION = 1e6;

/** Facts by the name of a model. An own field `purpose` is stronger than what the name says, also if it is undefined. */
export type FactsByName = Map<string, ModelFacts>;

/** Reads the facts of one model in a list, in the fields of all servers that describe their models in it. */
export function factsOfEntry(entry: unknown): ModelFacts {
  const inputs = inputModalities(entry);
  const can = (...names: string[]) => capability(entry, names);
  return validFacts({
    label: labelOf(entry),
    contextTokens: contextTokensOf(entry),
    maxOutputTokens:
      countField(field(entry, "top_provider"), "max_completion_tokens") ??
      countField(entry, "max_completion_tokens") ??
      countField(entry, "max_output_tokens"),
    images: inputs?.includes("image") ?? can("vision", "supports_vision", "supports_image_input"),
    pdf: inputs ? inputs.includes("file") : can("supports_pdf_input"),
    audio: inputs?.includes("audio") ?? can("supports_audio_input"),
    imageOutput: outputModalities(entry).includes("image") || undefined,
    tools: can("tools", "tool_use", "function_calling", "supports_function_calling", "supports_tools"),
    reasoning: can("reasoning", "thinking", "supports_reasoning"),
    efforts: openRouterEfforts(entry),
    price: listedPrice(field(entry, "pricing")),
  });
}

/** Removes facts that are not reported, or that cannot be true. */
export function validFacts(facts: { [Name in keyof ModelFacts]: ModelFacts[Name] | undefined }): ModelFacts {
  const { label, contextTokens, maxOutputTokens, price, efforts: list, ...others } = facts;
  const text = label?.toWellFormed().trim().slice(0, MODEL_LABEL_MAX);
  const checked = {
    ...others,
    label: text === "" ? undefined : text,
    contextTokens: inRange(contextTokens, CONTEXT_TOKENS_MIN),
    maxOutputTokens: inRange(maxOutputTokens, 1),
    price: price && isValidPrice(price) ? price : undefined,
    efforts: list && list.length > 0 ? list : undefined,
  };
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}

/** @throws ModelError if a document has no list: something else than the API is at the address */
export function requiredList(list: unknown): unknown[] {
  if (!Array.isArray(list)) throw new ModelError("assistant-misconfigured", { status: 200 });
  return list;
}

/** Returns the elements of a field that are texts. */
export function textList(value: unknown, name: string): string[] {
  const list = field(value, name);
  return Array.isArray(list) ? list.filter((element) => typeof element === "string") : [];
}

/** Returns a price in US dollars per million tokens. `unit`: US dollars of 1 in the prices of the list, per token. */
export function priceFrom(
  { input, output, cacheRead, cacheWrite }: { [Name in keyof ModelPrice]: unknown },
  unit = 1,
): ModelPrice | undefined {
  const perMillion = (value: unknown): number | undefined => {
    const isText = typeof value === "string" && value.trim() !== "";
    const price = isText ? Number(value) : value;
    // Twelve digits hide the inexact product of a decimal fraction.
    return typeof price === "number" ? Number((price * unit * MILLION).toPrecision(12)) : undefined;
  };
  const known = { input: perMillion(input), output: perMillion(output) };
  const cached = { cacheRead: perMillion(cacheRead), cacheWrite: perMillion(cacheWrite) };
  if (known.input === undefined || known.output === undefined) return undefined;
  return {
    input: known.input,
    output: known.output,
    ...(cached.cacheRead !== undefined && { cacheRead: cached.cacheRead }),
    ...(cached.cacheWrite !== undefined && { cacheWrite: cached.cacheWrite }),
  };
}

/** Returns the efforts of a server's own names, ascending. OpenAI's `none` is `off`. */
export function effortsNamed(names: readonly string[]): Effort[] {
  return efforts.filter((effort) => names.includes(effort === "off" ? "none" : effort));
}

/** OpenRouter has a name for people. Together and Anthropic name it otherwise. */
function labelOf(entry: unknown): string {
  return textField(entry, "display_name") || (field(entry, "architecture") ? textField(entry, "name") : "");
}

/** Reads the context window, which servers report in different fields. */
function contextTokensOf(entry: unknown): number | undefined {
  const ofProvider = countField(field(entry, "top_provider"), "context_length") ?? Number.POSITIVE_INFINITY;
  const length = countField(entry, "context_length");
  return (
    countField(entry, "max_model_len") ??
    (length === undefined ? undefined : Math.min(length, ofProvider)) ??
    countField(entry, "context_window") ??
    countField(entry, "max_context_length") ??
    countField(field(entry, "meta"), "n_ctx") ??
    countField(entry, "max_input_tokens")
  );
}

/** Returns the kinds of output that a list names; none if it names no kinds. */
export function outputModalities(entry: unknown): string[] {
  const own = textList(entry, "output_modalities");
  return own.length > 0 ? own : textList(field(entry, "architecture"), "output_modalities");
}

function inputModalities(entry: unknown): string[] | undefined {
  const own = textList(entry, "input_modalities");
  const inputs = own.length > 0 ? own : textList(field(entry, "architecture"), "input_modalities");
  return inputs.length > 0 ? inputs : undefined;
}

/**
 * Reads a capability that a list names in an object or array of `capabilities`, in `supported_parameters`, or as a field
 * of its own; `undefined` if the list names neither that it has the capability nor that it has not.
 */
function capability(entry: unknown, names: readonly string[]): boolean | undefined {
  const capabilities = field(entry, "capabilities");
  const parameters = field(entry, "supported_parameters");
  for (const list of [capabilities, parameters]) {
    if (Array.isArray(list)) return names.some((name) => list.includes(name));
  }
  for (const source of [capabilities, entry]) {
    const known = names.map((name) => field(source, name)).filter((value) => typeof value === "boolean");
    if (known.length > 0) return known.includes(true);
  }
  return undefined;
}

function openRouterEfforts(entry: unknown): Effort[] {
  return effortsNamed(textList(field(entry, "reasoning"), "supported_efforts"));
}

/** OpenRouter's prices are per token, and Together's per million. */
function listedPrice(pricing: unknown): ModelPrice | undefined {
  if (!isRecord(pricing)) return undefined;
  const { prompt, completion, input_cache_read: cacheRead, input_cache_write: cacheWrite, input, output } = pricing;
  if (prompt !== undefined) return priceFrom({ input: prompt, output: completion, cacheRead, cacheWrite });
  // Together lists models of dedicated machines with a price of 0.
  return input === 0 && output === 0 ? undefined : priceFrom({ input, output }, 1 / MILLION);
}

function inRange(tokens: number | undefined, min: number): number | undefined {
  return tokens !== undefined && tokens >= min && tokens <= CONTEXT_TOKENS_MAX ? tokens : undefined;
}

/** OpenRouter's routers have a price of -1: it depends on the model that they choose. */
function isValidPrice({ input, output, cacheRead = 0, cacheWrite = 0 }: ModelPrice): boolean {
  return [input, output, cacheRead, cacheWrite].every((price) => price >= 0 && price <= PRICE_MAX);
}
