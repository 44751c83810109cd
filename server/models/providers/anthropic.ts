import type { Model, ModelEnd, ModelSink, Prompt, PromptMessage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { Price } from "../prices.ts";
import { callForEvents, type WireReader } from "./event-stream-call.ts";
import { alternating } from "./prompt-messages.ts";
import type { ProviderConnection } from "./provider-connection.ts";
import { errorFromEvent } from "./provider-errors.ts";
import { countField, field, isRecord, parseJson, textField } from "./wire-json.ts";

type Settings = {
  value: string;
  /** The provider's name of the model. */
  name: string;
  contextTokens: number;
  maxOutputTokens: number;
  price?: Price | undefined;
  takesTemperature: boolean;
  connection: ProviderConnection;
};

const API_VERSION = "2023-06-01";
/** Other providers accept up to 2. */
const MAX_TEMPERATURE = 1;
/** Replaces a missing first question, because the API requires that a conversation begins with one. */
const MISSING_QUESTION = "(The beginning of this conversation is not shown.)";

/** A model behind Anthropic's messages API. An answer at the end of the prompt is continued by prefilling. */
export class AnthropicModel implements Model {
  readonly value: string;
  readonly provider = "anthropic";
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly price: Price | undefined;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.value = settings.value;
    this.contextTokens = settings.contextTokens;
    this.maxOutputTokens = settings.maxOutputTokens;
    this.price = settings.price;
    this.#settings = settings;
  }

  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection, name, maxOutputTokens, takesTemperature } = this.#settings;
    const { temperature } = prompt;
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("messages"),
      headers: { "anthropic-version": API_VERSION, "x-api-key": connection.apiKey ?? "" },
      body: JSON.stringify({
        model: name,
        max_tokens: maxOutputTokens,
        ...(prompt.system && { system: prompt.system }),
        ...(takesTemperature && temperature !== undefined && { temperature: Math.min(temperature, MAX_TEMPERATURE) }),
        messages: fromQuestion(alternating(prompt.messages)),
        stream: true,
      }),
      apiKey: connection.apiKey,
      reader: new AnthropicReader(),
      sink,
      signal,
    });
  }
}

function fromQuestion(messages: PromptMessage[]): PromptMessage[] {
  const merged: PromptMessage[] =
    messages[0]?.role === "assistant" ? [{ role: "user", content: MISSING_QUESTION }, ...messages] : messages;
  const last = merged.at(-1);
  // The API rejects a prefilled answer that ends in white space.
  if (last?.role === "assistant") last.content = last.content.trimEnd();
  return merged;
}

/** Reads the events of one streamed message. */
export class AnthropicReader implements WireReader {
  #text = "";
  #reason: ModelEnd["reason"] = "complete";
  #isClosed = false;
  #usage: NonNullable<ModelEnd["usage"]> = {};

  read(data: string): "open" | "closed" {
    if (data === "" || data === "[DONE]") return "open";
    const event = parseJson(data);
    if (!isRecord(event)) throw new ModelError("assistant-broken-off");
    switch (field(event, "type")) {
      case "content_block_delta":
        this.#readBlock(field(event, "delta"), "text_delta");
        return "open";
      case "content_block_start":
        this.#readBlock(field(event, "content_block"), "text");
        return "open";
      case "message_start":
        this.#readUsage(field(field(event, "message"), "usage"));
        return "open";
      case "message_delta":
        this.#readUsage(field(event, "usage"));
        this.#readStop(textField(field(event, "delta"), "stop_reason"));
        return "open";
      case "message_stop":
        this.#isClosed = true;
        return "closed";
      case "error":
        throw errorFromEvent(event);
      default:
        // Pings, and event types that may be added later.
        return "open";
    }
  }

  takeText(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  takeReasoning(): string {
    return "";
  }

  end(): ModelEnd | undefined {
    return this.#isClosed ? { reason: this.#reason, usage: this.#usage } : undefined;
  }

  /** Reads text only. Thinking, signatures and tool input are blocks and deltas of other types. */
  #readBlock(part: unknown, type: "text" | "text_delta"): void {
    if (field(part, "type") === type) this.#text += textField(part, "text");
  }

  #readStop(reason: string): void {
    if (reason === "refusal") this.#reason = "refused";
    else if (reason === "max_tokens" || reason === "model_context_window_exceeded") this.#reason = "length";
  }

  #readUsage(usage: unknown): void {
    const inputTokens = countField(usage, "input_tokens");
    const outputTokens = countField(usage, "output_tokens");
    if (inputTokens !== undefined) this.#usage.inputTokens = inputTokens;
    if (outputTokens !== undefined) this.#usage.outputTokens = outputTokens;
  }
}
