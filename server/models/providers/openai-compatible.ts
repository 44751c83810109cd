import type { Effort } from "#contract/effort.ts";
import type { Model, ModelEnd, ModelSink, Prompt, ProviderName } from "../model.ts";
import type { Price } from "../prices.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";
import { callForEvents } from "./event-stream-call.ts";
import { bearerHeaders, effortName } from "./openai-requests.ts";
import { alternating, withContinueRequest } from "./prompt-messages.ts";
import type { ProviderConnection } from "./provider-connection.ts";

type Settings = {
  value: string;
  /** The provider's name of the model. */
  name: string;
  provider: ProviderName;
  contextTokens: number;
  maxOutputTokens: number;
  price?: Price | undefined;
  takesTemperature: boolean;
  efforts?: readonly Effort[] | undefined;
  connection: ProviderConnection;
  /** OpenAI's newer models require this name of the limit. Other servers have other names or none, and get no limit. */
  sendsMaxCompletionTokens: boolean;
};

/** A model behind OpenAI's chat completions API: OpenAI itself, Ollama, vLLM, llama.cpp, any gateway. */
export class OpenAiCompatibleModel implements Model {
  readonly value: string;
  readonly provider: ProviderName;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly price: Price | undefined;
  readonly efforts: readonly Effort[] | undefined;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.value = settings.value;
    this.provider = settings.provider;
    this.contextTokens = settings.contextTokens;
    this.maxOutputTokens = settings.maxOutputTokens;
    this.price = settings.price;
    this.efforts = settings.efforts;
    this.#settings = settings;
  }

  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.#settings;
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("chat/completions"),
      headers: bearerHeaders(connection),
      body: JSON.stringify(this.#body(prompt)),
      apiKey: connection.apiKey,
      reader: new ChatCompletionReader(),
      sink,
      signal,
    });
  }

  #body({ system, messages, temperature, effort }: Prompt) {
    const { name, maxOutputTokens, takesTemperature, efforts = [], sendsMaxCompletionTokens } = this.#settings;
    return {
      model: name,
      messages: [
        ...(system ? [{ role: "system", content: system }] : []),
        ...withContinueRequest(alternating(messages)),
      ],
      stream: true,
      stream_options: { include_usage: true },
      ...(takesTemperature && temperature !== undefined && { temperature }),
      ...(efforts.length > 0 && effort !== undefined && { reasoning_effort: effortName(effort) }),
      ...(sendsMaxCompletionTokens && { max_completion_tokens: maxOutputTokens }),
    };
  }
}
