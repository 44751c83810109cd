import type { Effort } from "#contract/effort.ts";
import type { ModelEnd, ModelSink, Prompt, PromptMessage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { callForEvents } from "./event-stream-call.ts";
import { bearerHeaders, effortName } from "./openai-requests.ts";
import { alternating, withContinueRequest } from "./prompt-messages.ts";
import type { ProviderConnection } from "./provider-connection.ts";
import { ProviderModel, type ProviderModelSettings } from "./provider-model.ts";
import { ResponsesReader } from "./responses-reader.ts";

type Settings = ProviderModelSettings & {
  /** The provider's name of the model. */
  name: string;
  takesTemperature: boolean;
  /** `false`: no summary of the reasoning is requested. */
  returnsReasoning?: boolean | undefined;
};

/** Field of a request for a summary, as OpenAI's refusal names it. */
const SUMMARY = "reasoning.summary";
/** Connections of organisations that OpenAI has not verified: it refuses every request for a summary of reasoning. */
const withoutSummaries = new WeakSet<ProviderConnection>();

/**
 * A model behind OpenAI's Responses API. Every call contains the whole conversation, and OpenAI stores nothing.
 * Encrypted reasoning is not requested: it would have to be sent back only within a loop of tool calls.
 */
export class OpenAiResponsesModel extends ProviderModel<Settings> {
  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.settings;
    try {
      return await this.#call(prompt, sink, signal);
    } catch (error) {
      if (!(error instanceof ModelError) || error.field !== SUMMARY || withoutSummaries.has(connection)) throw error;
      withoutSummaries.add(connection);
      return this.#call(prompt, sink, signal);
    }
  }

  async #call(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.settings;
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("responses"),
      headers: bearerHeaders(connection),
      body: JSON.stringify(this.#body(prompt)),
      apiKey: connection.apiKey,
      reader: new ResponsesReader(),
      sink,
      signal,
    });
  }

  #body({ system, messages, temperature, effort }: Prompt) {
    const { name, maxOutputTokens, takesTemperature, efforts = [] } = this.settings;
    return {
      model: name,
      ...(system && { instructions: system }),
      input: withContinueRequest(alternating(messages)).map(inputMessage),
      stream: true,
      store: false,
      max_output_tokens: maxOutputTokens,
      ...(takesTemperature && temperature !== undefined && { temperature }),
      ...(efforts.length > 0 && this.#reasoning(effort)),
    };
  }

  #reasoning(effort: Effort | undefined) {
    const { returnsReasoning, connection } = this.settings;
    const hasSummary = effort !== "off" && returnsReasoning !== false && !withoutSummaries.has(connection);
    const reasoning = {
      ...(effort !== undefined && { effort: effortName(effort) }),
      ...(hasSummary && { summary: "auto" }),
    };
    return Object.keys(reasoning).length > 0 && { reasoning };
  }
}

function inputMessage({ role, content }: PromptMessage) {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { role, content: [{ type, text: content }] };
}
