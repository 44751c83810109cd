import type { Model, ModelEnd, ModelSink, Prompt, ProviderName } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { Price } from "../prices.ts";
import { callForEvents, type WireReader } from "./event-stream-call.ts";
import { alternating } from "./prompt-messages.ts";
import type { ProviderConnection } from "./provider-connection.ts";
import { errorFromEvent } from "./provider-errors.ts";
import { ThinkingFilter } from "./thinking-filter.ts";
import { countField, field, isRecord, parseJson, textField } from "./wire-json.ts";

type Settings = {
  value: string;
  /** The provider's name of the model. */
  name: string;
  provider: ProviderName;
  contextTokens: number;
  maxOutputTokens: number;
  price?: Price | undefined;
  takesTemperature: boolean;
  connection: ProviderConnection;
  /** OpenAI's newer models require this name of the limit. Other servers have other names or none, and get no limit. */
  sendsMaxCompletionTokens: boolean;
};

/** Question that asks for a continuation. Chat completions have no other way to continue an answer. */
const CONTINUE = "Continue exactly where your last message stopped. Do not repeat anything and do not comment on it.";

/** A model behind OpenAI's chat completions API: OpenAI itself, Ollama, vLLM, llama.cpp, any gateway. */
export class OpenAiCompatibleModel implements Model {
  readonly value: string;
  readonly provider: ProviderName;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly price: Price | undefined;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.value = settings.value;
    this.provider = settings.provider;
    this.contextTokens = settings.contextTokens;
    this.maxOutputTokens = settings.maxOutputTokens;
    this.price = settings.price;
    this.#settings = settings;
  }

  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.#settings;
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("chat/completions"),
      headers: {
        ...connection.headers(),
        ...(connection.apiKey !== undefined && { authorization: `Bearer ${connection.apiKey}` }),
      },
      body: JSON.stringify(this.#body(prompt)),
      apiKey: connection.apiKey,
      reader: new ChatCompletionReader(),
      sink,
      signal,
    });
  }

  #body(prompt: Prompt) {
    const { name, maxOutputTokens, takesTemperature, sendsMaxCompletionTokens } = this.#settings;
    const { temperature } = prompt;
    const messages = alternating(prompt.messages);
    const isContinuation = messages.at(-1)?.role === "assistant";
    return {
      model: name,
      messages: [
        ...(prompt.system ? [{ role: "system", content: prompt.system }] : []),
        ...messages,
        ...(isContinuation ? [{ role: "user", content: CONTINUE }] : []),
      ],
      stream: true,
      stream_options: { include_usage: true },
      ...(takesTemperature && temperature !== undefined && { temperature }),
      ...(sendsMaxCompletionTokens && { max_completion_tokens: maxOutputTokens }),
    };
  }
}

/** Reads the chunks of one streamed chat completion. */
export class ChatCompletionReader implements WireReader {
  readonly #thinking = new ThinkingFilter();
  #text = "";
  #reasoning = "";
  #reason: ModelEnd["reason"] | undefined;
  #isClosed = false;
  #usage: NonNullable<ModelEnd["usage"]> = {};

  read(data: string): "open" | "ended" | "closed" {
    if (data === "[DONE]") {
      this.#isClosed = true;
      return "closed";
    }
    if (data === "") return this.#state;
    const chunk = parseJson(data);
    if (!isRecord(chunk)) throw new ModelError("assistant-broken-off");
    if (field(chunk, "error") || field(chunk, "object") === "error") throw errorFromEvent(chunk);
    this.#readUsage(field(chunk, "usage"));
    const choices = field(chunk, "choices");
    if (Array.isArray(choices)) this.#readChoice(choices[0]);
    return this.#state;
  }

  takeText(isLast: boolean): string {
    const text = isLast ? this.#text + this.#thinking.end() : this.#text;
    this.#text = "";
    return text;
  }

  takeReasoning(isLast: boolean): string {
    // The filter releases held reasoning at its end.
    if (isLast) this.#text += this.#thinking.end();
    const reasoning = this.#reasoning + this.#thinking.takeReasoning();
    this.#reasoning = "";
    return reasoning;
  }

  end(): ModelEnd | undefined {
    if (this.#reason === undefined && !this.#isClosed) return undefined;
    return { reason: this.#reason ?? "complete", usage: this.#usage };
  }

  get #state(): "open" | "ended" {
    return this.#reason === undefined ? "open" : "ended";
  }

  #readChoice(choice: unknown): void {
    if (this.#reason !== undefined) return;
    const delta = field(choice, "delta");
    this.#reasoning += textField(delta, "reasoning_content") || textField(delta, "reasoning");
    const content = textField(delta, "content");
    if (content !== "") this.#text += this.#thinking.push(content);
    const isRefused = textField(delta, "refusal") !== "";
    const finish = textField(choice, "finish_reason");
    if (isRefused || finish === "content_filter") this.#reason = "refused";
    else if (finish === "length") this.#reason = "length";
    else if (finish === "error") throw new ModelError("assistant-broken-off");
    else if (finish !== "") this.#reason = "complete";
  }

  #readUsage(usage: unknown): void {
    const inputTokens = countField(usage, "prompt_tokens");
    const outputTokens = countField(usage, "completion_tokens");
    if (inputTokens !== undefined) this.#usage.inputTokens = inputTokens;
    if (outputTokens !== undefined) this.#usage.outputTokens = outputTokens;
  }
}
