import type { Effort } from "#contract/models/effort.ts";
import { openAiLimits } from "../attachments/file-limits.ts";
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
import type { ToolCall, ToolResult } from "../tool-calls/tool-call.ts";
import { callForEvents } from "./event-stream-call.ts";
import { FileSlots } from "./file-slots.ts";
import { callHeaders, effortName, pdfName } from "./openai-requests.ts";
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
  /** `true`: answers in the prompt have the phase `final_answer`. */
  labelsAnswers?: boolean | undefined;
};

/** Field of a request for a summary, as OpenAI's refusal names it. */
const SUMMARY = "reasoning.summary";
/** Connections of organisations that OpenAI has not verified: it refuses every request for a summary of reasoning. */
const withoutSummaries = new WeakSet<ProviderConnection>();

/**
 * A model behind OpenAI's Responses API. Every call contains the whole conversation, and OpenAI stores nothing.
 * Encrypted reasoning is requested only where tools are offered: it is sent back within a loop of calls.
 */
export class OpenAiResponsesModel extends ProviderModel<Settings> {
  constructor(settings: Settings) {
    super(settings, openAiLimits);
  }

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
    const slots = new FileSlots();
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("responses"),
      headers: await callHeaders(this.settings),
      body: slots.encode(this.#body(prompt, slots)),
      secrets: connection.secrets,
      reader: new ResponsesReader({ hasTools: hasTools(prompt) }),
      sink,
      signal,
    });
  }

  #body(prompt: Prompt, slots: FileSlots) {
    const { system, messages, temperature, effort, tools = [] } = prompt;
    const { name, takesTemperature, labelsAnswers = false, efforts = [] } = this.settings;
    return {
      model: name,
      ...(system && { instructions: system }),
      input: withContinueRequest(alternating(messages)).flatMap((message) =>
        message.role === "user" ? [inputMessage(message, slots)] : outputItems(message, labelsAnswers),
      ),
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({ type: "function", ...tool, strict: false })),
      }),
      stream: true,
      store: false,
      max_output_tokens: outputLimit(this.settings, prompt),
      ...(takesTemperature && temperature !== undefined && { temperature }),
      ...(efforts.length > 0 && this.#reasoning(effort)),
      // Models without reasoning refuse the field.
      ...(efforts.length > 0 && tools.length > 0 && { include: ["reasoning.encrypted_content"] }),
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

function inputMessage({ role, content }: PromptMessage, slots: FileSlots) {
  return { role, content: content.map((part) => inputPart(part, slots)) };
}

function inputPart(part: PromptPart, slots: FileSlots) {
  if (part.type === "file") return filePart(part.file, slots);
  return { type: "input_text", text: textOfPart(part) };
}

function filePart(file: PromptFile, slots: FileSlots) {
  const data = slots.dataUrl(file);
  if (file.kind === "picture") return { type: "input_image", image_url: data, detail: "auto" };
  return { type: "input_file", filename: pdfName(file), file_data: data };
}

/** Returns the items of an answer, or of the results of its calls. */
function outputItems(message: PromptMessage, labelsAnswers: boolean): object[] {
  if (message.role === "tool") return toolResultsOf(message).map(resultItem);
  const { turn } = message;
  if (turn?.format === "responses" && Array.isArray(turn.body)) return turn.body;
  const calls = toolCallsOf(message).map(callItem);
  if (textOf(message) === "") return calls;
  const phase = calls.length > 0 ? "commentary" : "final_answer";
  return [outputMessage(message, labelsAnswers ? { phase } : {}), ...calls];
}

const callItem = ({ id, name, arguments: json }: ToolCall) => ({
  type: "function_call",
  call_id: id,
  name,
  arguments: json,
});

const resultItem = ({ callId, text }: ToolResult) => ({ type: "function_call_output", call_id: callId, output: text });

/**
 * Returns an answer of a request. From GPT-5.3 on OpenAI asks for the phase of each answer that is sent again. The text
 * of a reply is its final answer only, because `ResponsesReader` reads commentary as reasoning; text before a call is
 * none.
 */
function outputMessage(message: PromptMessage, phase: { phase?: string }) {
  return { role: message.role, ...phase, content: [{ type: "output_text", text: textOf(message) }] };
}
