import { imitatorLimits, openAiLimits } from "../attachments/file-limits.ts";
import {
  type ModelEnd,
  type ModelSink,
  outputLimit,
  type Prompt,
  type PromptFile,
  type PromptMessage,
  type PromptPart,
} from "../model.ts";
import { ModelError } from "../model-error.ts";
import { hasTools, textOf, textOfPart, toolCallsOf, toolResultsOf } from "../prompt-message.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";
import { callForEvents } from "./event-stream-call.ts";
import { FileSlots } from "./file-slots.ts";
import { callHeaders, effortName, pdfName } from "./openai-requests.ts";
import { alternating, withContinueRequest } from "./prompt-messages.ts";
import type { ProviderConnection } from "./provider-connection.ts";
import { ProviderModel, type ProviderModelSettings } from "./provider-model.ts";

type Settings = ProviderModelSettings & {
  /** The provider's name of the model. */
  name: string;
  takesTemperature: boolean;
  /**
   * OpenAI's newer models require this name of the limit. Other servers have other names or none, and get no limit but
   * that of a prompt, by the name that most of them read.
   */
  sendsMaxCompletionTokens: boolean;
  /** Whether pictures are asked for in its answers. */
  imageOutput?: boolean | undefined;
};

/** Field of a request for the token counts. */
const STREAM_OPTIONS = "stream_options";
/** Connections whose servers refuse this field: Mistral sends the counts without it. */
const withoutStreamOptions = new WeakSet<ProviderConnection>();

/** A model behind OpenAI's chat completions API: OpenAI itself, Ollama, vLLM, llama.cpp, any gateway. */
export class OpenAiCompatibleModel extends ProviderModel<Settings> {
  constructor(settings: Settings) {
    super(settings, settings.provider === "openai" ? openAiLimits : imitatorLimits);
  }

  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.settings;
    try {
      return await this.#call(prompt, sink, signal);
    } catch (error) {
      const isRefused = error instanceof ModelError && error.field?.startsWith(STREAM_OPTIONS);
      if (!isRefused || withoutStreamOptions.has(connection)) throw error;
      withoutStreamOptions.add(connection);
      return this.#call(prompt, sink, signal);
    }
  }

  async #call(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection, name } = this.settings;
    const { thoughtsInPrompt } = connection;
    const slots = new FileSlots();
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("chat/completions", name),
      headers: await callHeaders(this.settings),
      body: slots.encode(this.#body(prompt, slots)),
      secrets: connection.secrets,
      reader: new ChatCompletionReader({
        isThoughtInPrompt: thoughtsInPrompt.has(name) && prompt.effort !== "off",
        onThoughtInPrompt: (isInPrompt) =>
          void (isInPrompt ? thoughtsInPrompt.add(name) : thoughtsInPrompt.delete(name)),
        hasTools: hasTools(prompt),
      }),
      sink,
      signal,
    });
  }

  #body(prompt: Prompt, slots: FileSlots) {
    const { system, messages, temperature, effort, maxOutputTokens, tools = [] } = prompt;
    const { connection, name, takesTemperature, efforts = [], sendsMaxCompletionTokens, imageOutput } = this.settings;
    const limit = outputLimit(this.settings, prompt);
    return {
      model: name,
      messages: [
        ...(system ? [{ role: "system", content: system }] : []),
        ...withContinueRequest(alternating(messages)).flatMap((message) => chatMessages(message, slots)),
      ],
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
      stream: true,
      ...(!withoutStreamOptions.has(connection) && { [STREAM_OPTIONS]: { include_usage: true } }),
      // Titles and other short answers are words.
      ...(imageOutput && maxOutputTokens === undefined && { modalities: ["image", "text"] }),
      ...(takesTemperature && temperature !== undefined && { temperature }),
      ...(efforts.length > 0 && effort !== undefined && { reasoning_effort: effortName(effort) }),
      ...(sendsMaxCompletionTokens && { max_completion_tokens: limit }),
      ...(!sendsMaxCompletionTokens && maxOutputTokens !== undefined && { max_tokens: limit }),
    };
  }
}

function chatMessages(message: PromptMessage, slots: FileSlots): object[] {
  if (message.role !== "tool") return [chatMessage(message, slots)];
  return toolResultsOf(message).map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
}

function chatMessage(message: PromptMessage, slots: FileSlots) {
  const { role, content } = message;
  if (toolCallsOf(message).length > 0) return { role, content: textOf(message) || null, ...callFields(message) };
  if (content.every(({ type }) => type === "text")) return { role, content: textOf(message) };
  return { role, content: content.map((part) => contentPart(part, slots)) };
}

/** Returns the calls of an answer: those that the server has sent itself, with what it requires back. */
function callFields(message: PromptMessage): object {
  if (message.turn?.format === "chat-completions") return Object(message.turn.body);
  const calls = toolCallsOf(message).map(({ id, name, arguments: json }) => ({
    id,
    type: "function",
    function: { name, arguments: json },
  }));
  return { tool_calls: calls };
}

function contentPart(part: PromptPart, slots: FileSlots) {
  if (part.type === "file") return filePart(part.file, slots);
  return { type: "text", text: textOfPart(part) };
}

function filePart(file: PromptFile, slots: FileSlots) {
  const data = slots.dataUrl(file);
  if (file.kind === "picture") return { type: "image_url", image_url: { url: data, detail: "auto" } };
  return { type: "file", file: { filename: pdfName(file), file_data: data } };
}
