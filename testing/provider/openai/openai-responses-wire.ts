import { toPromptMessage } from "../content-parts.ts";
import { problemOfCalls, problemOfTools } from "../tool-rules.ts";
import {
  type AnswerEncoder,
  type Charges,
  DEFAULT_TOKENS,
  type InputItem,
  type PromptMessage,
  type RequestBody,
  type Wire,
  type WireCall,
  type WireEnd,
  type WireFailure,
  type WireTokens,
} from "../wire.ts";
import { fieldRefusal, openAiErrorAnswer, openAiErrors } from "./openai-errors.ts";
import { refuseResponse } from "./openai-limits.ts";

const CREATED = 1_760_000_000;
const REFUSAL = "I cannot help with that.";
/** Reasoning that the API requires back within a loop of calls. */
export const ENCRYPTED = "gAAAAABpX0-encrypted-reasoning";

type ItemType = "reasoning" | "message";
type OpenItem = { type: ItemType; id: string; outputIndex: number; text: string };

const partOf = (type: ItemType, text: string) =>
  type === "reasoning" ? { type: "summary_text", text } : { type: "output_text", text, annotations: [], logprobs: [] };

function itemOf({ type, id }: OpenItem, status: "in_progress" | "completed", parts: object[]): object {
  if (type === "reasoning") return { id, type, summary: parts, encrypted_content: ENCRYPTED };
  return { id, type, status, role: "assistant", content: parts };
}

function usageOf({ input, cached, written = 0, output, reasoning }: WireTokens) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** OpenAI counts the tokens from and to the cache in `input_tokens`. */
function chargesOf(usage: ReturnType<typeof usageOf>): Charges {
  const { cached_tokens, cache_write_tokens } = usage.input_tokens_details;
  return {
    input: usage.input_tokens - cached_tokens - cache_write_tokens,
    cacheRead: cached_tokens,
    cacheWrite: cache_write_tokens,
    output: usage.output_tokens,
    reasoning: usage.output_tokens_details.reasoning_tokens,
  };
}

/**
 * Encodes a response as a list of items: a `reasoning` item with one summary, or a `message`, begins when the kind of
 * the pieces changes. A refusal is a message of its own. Methods are arrow functions, because scenarios pass them on.
 */
class ResponsesEncoder implements AnswerEncoder {
  readonly #model: string;
  readonly #usage: ReturnType<typeof usageOf>;
  readonly charges: Charges;
  readonly #output: object[] = [];
  #sequenceNumber = 0;
  #open: OpenItem | undefined;
  #reason: WireEnd = "complete";

  constructor(model: string, tokens: WireTokens) {
    this.#model = model;
    this.#usage = usageOf(tokens);
    this.charges = chargesOf(this.#usage);
  }

  readonly start = (): string => {
    const response = this.#response("in_progress");
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  };

  readonly text = (piece: string): string => this.#delta("message", piece);

  readonly reasoning = (piece: string): string => this.#delta("reasoning", piece);

  readonly calls = (calls: readonly WireCall[]): string =>
    this.#close() + calls.map((call) => this.#call(call)).join("");

  readonly ping = (): string => this.#event("keepalive", {});

  readonly finish = (reason: WireEnd): string => {
    this.#reason = reason;
    const events = this.#close();
    return reason === "refused" ? events + this.#refusal() : events;
  };

  readonly endMark = (): string => {
    if (this.#reason !== "length") {
      return this.#event("response.completed", {
        response: { ...this.#response("completed"), usage: this.#usage },
      });
    }
    const response = {
      ...this.#response("incomplete"),
      incomplete_details: { reason: "max_output_tokens" },
      usage: this.#usage,
    };
    return this.#event("response.incomplete", { response });
  };

  readonly errorEvent = (failure: WireFailure): string => {
    const [, error] = openAiErrors[failure];
    const { code, message, type } = error;
    const response = { ...this.#response("failed"), error: { code: code ?? type, message } };
    return this.#event("error", { error }) + this.#event("response.failed", { response });
  };

  #delta(type: ItemType, piece: string): string {
    const events = this.#open?.type === type ? "" : this.#close() + this.#begin(type);
    if (this.#open) this.#open.text += piece;
    const name = type === "reasoning" ? "response.reasoning_summary_text.delta" : "response.output_text.delta";
    return (
      events + this.#event(name, { ...this.#position(), delta: piece, ...(type === "message" && { logprobs: [] }) })
    );
  }

  #begin(type: ItemType): string {
    const outputIndex = this.#output.length;
    const item = { type, id: `${type === "reasoning" ? "rs" : "msg"}_${outputIndex}`, outputIndex, text: "" };
    this.#open = item;
    const added = { output_index: outputIndex, item: itemOf(item, "in_progress", []) };
    const partAdded = type === "reasoning" ? "response.reasoning_summary_part.added" : "response.content_part.added";
    return (
      this.#event("response.output_item.added", added) +
      this.#event(partAdded, { ...this.#position(), part: partOf(type, "") })
    );
  }

  #close(): string {
    const item = this.#open;
    if (!item) return "";
    const { type, text, outputIndex } = item;
    const [part, position] = [partOf(type, text), this.#position()];
    const isReasoning = type === "reasoning";
    const done = itemOf(item, "completed", [part]);
    this.#open = undefined;
    this.#output.push(done);
    return (
      this.#event(isReasoning ? "response.reasoning_summary_text.done" : "response.output_text.done", {
        ...position,
        text,
        ...(!isReasoning && { logprobs: [] }),
      }) +
      this.#event(isReasoning ? "response.reasoning_summary_part.done" : "response.content_part.done", {
        ...position,
        part,
      }) +
      this.#event("response.output_item.done", { output_index: outputIndex, item: done })
    );
  }

  #call({ id, name, arguments: given }: WireCall): string {
    const json = given || "{}";
    const outputIndex = this.#output.length;
    const item = { type: "function_call", call_id: id, name };
    const done = { ...item, id: `fc_${outputIndex}`, status: "completed", arguments: json };
    const position = { item_id: `fc_${outputIndex}`, output_index: outputIndex };
    this.#output.push(done);
    return (
      this.#event("response.output_item.added", {
        output_index: outputIndex,
        item: { ...item, id: done.id, status: "in_progress", arguments: "" },
      }) +
      this.#event("response.function_call_arguments.delta", { ...position, delta: json }) +
      this.#event("response.function_call_arguments.done", { ...position, arguments: json }) +
      this.#event("response.output_item.done", { output_index: outputIndex, item: done })
    );
  }

  #refusal(): string {
    const outputIndex = this.#output.length;
    const id = `msg_${outputIndex}`;
    const position = { item_id: id, output_index: outputIndex, content_index: 0 };
    const message = { id, type: "message", role: "assistant" };
    const part = { type: "refusal", refusal: REFUSAL };
    const done = { ...message, status: "completed", content: [part] };
    this.#output.push(done);
    const added = { output_index: outputIndex, item: { ...message, status: "in_progress", content: [] } };
    return (
      this.#event("response.output_item.added", added) +
      this.#event("response.content_part.added", { ...position, part: { ...part, refusal: "" } }) +
      this.#event("response.refusal.delta", { ...position, delta: REFUSAL }) +
      this.#event("response.refusal.done", { ...position, refusal: REFUSAL }) +
      this.#event("response.content_part.done", { ...position, part }) +
      this.#event("response.output_item.done", { output_index: outputIndex, item: done })
    );
  }

  #position(): object {
    const { id, outputIndex, type } = this.#open ?? { id: "", outputIndex: 0, type: "message" };
    const index = type === "reasoning" ? { summary_index: 0 } : { content_index: 0 };
    return { item_id: id, output_index: outputIndex, ...index };
  }

  #response(status: "in_progress" | "completed" | "incomplete" | "failed"): object {
    return {
      id: "resp_scripted",
      object: "response",
      created_at: CREATED,
      status,
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      model: this.#model,
      output: this.#output,
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: "medium", summary: "detailed" },
      service_tier: "default",
      store: false,
      temperature: 1,
      text: { format: { type: "text" }, verbosity: "medium" },
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      truncation: "disabled",
      usage: null,
      user: null,
      metadata: {},
    };
  }

  #event(type: string, fields: object): string {
    const data = { type, sequence_number: this.#sequenceNumber++, ...fields };
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

function messagesOf({ input = [] }: RequestBody): PromptMessage[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : input.flatMap(readItem);
}

function readItem(item: InputItem): PromptMessage[] {
  const { type, call_id: id = "", name = "", arguments: json = "", output = "" } = item;
  if (type === "reasoning") return [];
  if (type === "function_call") return [{ role: "assistant", content: "", calls: [{ id, name, arguments: json }] }];
  if (type === "function_call_output") return [{ role: "tool", content: output, callId: id }];
  return [toPromptMessage(item)];
}

/** OpenAI stores no reasoning here: it can only be sent back encrypted. */
function problemOfReasoning({ input = [] }: RequestBody): string | undefined {
  const items = typeof input === "string" ? [] : input.filter(({ type }) => type === "reasoning");
  const lost = items.find(({ encrypted_content }) => encrypted_content !== ENCRYPTED);
  return lost && `Item with id '${lost.id}' not found.`;
}

/** OpenAI's Responses API. */
export const openAiResponsesWire: Wire = {
  endpoint: "/responses",
  readPrompt: (body) => ({ system: body.instructions ?? "", messages: messagesOf(body) }),
  refuse: (body) => {
    const problem = problemOfTools(body.tools) ?? problemOfCalls(messagesOf(body)) ?? problemOfReasoning(body);
    return problem === undefined ? refuseResponse(body) : fieldRefusal(null, "input", problem);
  },
  encodeAnswer: (model, tokens = DEFAULT_TOKENS) => new ResponsesEncoder(model, tokens),
  errorAnswer: openAiErrorAnswer,
};
