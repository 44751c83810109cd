import type { ModelEnd, ModelSink, Prompt } from "../model.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";
import { callForEvents } from "./event-stream-call.ts";
import { bearerHeaders, effortName } from "./openai-requests.ts";
import { alternating, withContinueRequest } from "./prompt-messages.ts";
import { ProviderModel, type ProviderModelSettings } from "./provider-model.ts";

type Settings = ProviderModelSettings & {
  /** The provider's name of the model. */
  name: string;
  takesTemperature: boolean;
  /** OpenAI's newer models require this name of the limit. Other servers have other names or none, and get no limit. */
  sendsMaxCompletionTokens: boolean;
};

/** A model behind OpenAI's chat completions API: OpenAI itself, Ollama, vLLM, llama.cpp, any gateway. */
export class OpenAiCompatibleModel extends ProviderModel<Settings> {
  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.settings;
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
    const { name, maxOutputTokens, takesTemperature, efforts = [], sendsMaxCompletionTokens } = this.settings;
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
