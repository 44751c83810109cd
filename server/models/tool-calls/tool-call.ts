import { parseJson } from "../../text/parse-json.ts";
import { isRecord } from "../../text/wire-json.ts";
import { ModelError } from "../model-error.ts";

/**
 * A tool that is offered to a model. `name`: letters, digits, `_` and `-`, at most 64. `description`: for the model.
 * `parameters`: JSON Schema of an object.
 */
export type OfferedTool = {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
};

/**
 * A call of a tool by a model. `id`: unique in its answer. `arguments`: JSON as the model has written it, `{}` for none;
 * it may be invalid.
 */
export type ToolCall = { id: string; name: string; arguments: string };

/** The result of a call as the model receives it. `isError`: the tool could not do what was asked, and `text` says why. */
export type ToolResult = { callId: string; name: string; text: string; isError: boolean };

/** The wire formats of providers. */
export type WireFormat = "messages" | "responses" | "chat-completions";

/**
 * What a provider must receive back unchanged with the results of the calls of its answer, such as signed or encrypted
 * reasoning. `body`: JSON in its wire format.
 */
export type ProviderTurn = { format: WireFormat; body: unknown };

/** The calls of an answer in their order. `turn`: only if tools were offered. */
export type AnswerCalls = { calls: readonly ToolCall[]; turn?: ProviderTurn };

/** Calls of one answer. A model that repeats itself would fill the memory. */
const CALLS_MAX = 64;
/** Arguments of all calls of one answer, in UTF-16 units. */
const ARGUMENTS_MAX = 500_000;

/** Bounds the calls of one answer while they arrive. */
export class CallBounds {
  #calls = 0;
  #chars = 0;

  /** @throws ModelError `assistant-broken-off` for too many calls */
  addCall(): void {
    if (++this.#calls > CALLS_MAX) throw tooMuch("too_many_calls");
  }

  /** @throws ModelError `assistant-broken-off` for too long arguments */
  addArguments(piece: string): void {
    this.#chars += piece.length;
    if (this.#chars > ARGUMENTS_MAX) throw tooMuch("arguments_too_long");
  }
}

function tooMuch(providerCode: string): ModelError {
  return new ModelError("assistant-broken-off", { providerCode });
}

/** Returns a name that every API accepts in a later request, of one that a model has invented. */
export function sendableName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

/** Returns arguments as an object; an empty one if they are no JSON of an object, which some APIs require. */
export function argumentsObject(json: string): Record<string, unknown> {
  const parsed = parseJson(json);
  return isRecord(parsed) ? parsed : {};
}
