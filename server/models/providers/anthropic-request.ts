import type { Effort } from "#contract/models/effort.ts";
import { promptName } from "../attachments/file-text.ts";
import type { ReasoningForm } from "../catalogue.ts";
import { outputLimit, type Prompt, type PromptFile, type PromptMessage, type PromptPart } from "../model.ts";
import { promptMessage, textOf, toolCallsOf } from "../prompt-message.ts";
import { likelyTokens, messageTokens, toolTokens } from "../prompt-window.ts";
import { argumentsObject, type OfferedTool } from "../tool-calls/tool-call.ts";
import type { FileSlots } from "./file-slots.ts";
import { alternating, withContinueRequest } from "./prompt-messages.ts";

/** Facts of a model that decide on the body of a request. */
export type MessagesFacts = {
  /** The provider's name of the model. */
  name: string;
  maxOutputTokens: number;
  takesTemperature: boolean;
  /** Whether the model continues an answer at the end of the prompt. */
  prefill: boolean;
  reasoning: ReasoningForm;
  returnsReasoning: boolean;
  /** Fewest tokens of a prompt that the provider caches. */
  cacheMinTokens: number;
};

/** Other providers accept up to 2. */
const MAX_TEMPERATURE = 1;
/** Replaces a missing first question, because the API requires that a conversation begins with one. */
const MISSING_QUESTION = "(The beginning of this conversation is not shown.)";
/** The API allows four marks: one for the system prompt, the others for questions. */
const CACHED_QUESTIONS = 2;
/** Smallest budget that the API accepts, in tokens. */
const MIN_BUDGET_TOKENS = 1024;
/** Share of the limit of tokens that each effort may use for reasoning. The rest is for the answer. */
const BUDGET_SHARES: Readonly<Record<Exclude<Effort, "off">, number>> = {
  minimal: 1 / 16,
  low: 1 / 8,
  medium: 1 / 4,
  high: 1 / 2,
  xhigh: 5 / 8,
  max: 3 / 4,
};

type CacheControl = { cache_control?: typeof CACHE_MARK };
type TextBlock = { type: "text"; text: string } & CacheControl;
type FileSource = { type: "base64"; media_type: string; data: string };
type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: object } & CacheControl;
type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: true;
} & CacheControl;
type FileBlock = ({ type: "image" } | { type: "document"; title: string }) & { source: FileSource } & CacheControl;
type WireBlock = TextBlock | FileBlock | ToolUseBlock | ToolResultBlock;
/** `unknown[]`: an answer as the API has sent it. */
type WireMessage = { role: PromptMessage["role"]; content: string | WireBlock[] | unknown[] };
type Thinking =
  | { type: "adaptive"; display: "summarized" | "omitted" }
  | { type: "enabled"; budget_tokens: number }
  | { type: "disabled" };
type ThinkingFields = { thinking?: Thinking; output_config?: { effort: Effort } };

const CACHE_MARK = { type: "ephemeral" } as const;

/** Creates the body of a request to Anthropic's messages API. Files are represented by marks of `slots`. */
export function messagesBody(facts: MessagesFacts, prompt: Prompt, slots: FileSlots) {
  const { name, takesTemperature } = facts;
  const maxOutputTokens = outputLimit(facts, prompt);
  const { temperature, effort } = prompt;
  const messages = fromQuestion(alternating(prompt.messages.map(resultsAsUser)));
  const isPrefilled = facts.prefill && messages.at(-1)?.role === "assistant";
  // With reasoning, the API refuses a prefilled answer and a temperature.
  const hasThinking = !isPrefilled && !(facts.reasoning === "budget" && isWithoutThinking(messages));
  const thinking = hasThinking ? thinkingFields({ ...facts, maxOutputTokens }, effort) : {};
  const isThinking = thinking.thinking !== undefined && thinking.thinking.type !== "disabled";
  const asked = isPrefilled ? prefilled(messages) : withContinueRequest(messages);
  const marked = withCacheMarks({ ...prompt, messages: asked }, messages.length, facts.cacheMinTokens, slots);
  return {
    model: name,
    max_tokens: maxOutputTokens,
    ...(marked.tools && { tools: marked.tools }),
    ...(prompt.system && { system: marked.system }),
    ...thinking,
    ...(takesTemperature && !isThinking && temperature !== undefined && { temperature: clamped(temperature) }),
    messages: marked.messages,
    stream: true,
  };
}

function clamped(temperature: number): number {
  return Math.min(temperature, MAX_TEMPERATURE);
}

/** The API has results in messages of the user. */
function resultsAsUser(message: PromptMessage): PromptMessage {
  return message.role === "tool" ? { ...message, role: "user" } : message;
}

/** Whether the last answer has calls, but not its reasoning, which a budget of reasoning would require. */
function isWithoutThinking(messages: readonly PromptMessage[]): boolean {
  const answer = messages.findLast(({ role }) => role === "assistant");
  return answer !== undefined && answer.turn === undefined && toolCallsOf(answer).length > 0;
}

function fromQuestion(messages: PromptMessage[]): PromptMessage[] {
  return messages[0]?.role === "assistant" ? [promptMessage("user", MISSING_QUESTION), ...messages] : messages;
}

/** The API rejects a prefilled answer that ends in white space. */
function prefilled(messages: readonly PromptMessage[]): PromptMessage[] {
  return messages.map((message, at) =>
    at === messages.length - 1 ? promptMessage(message.role, textOf(message).trimEnd()) : message,
  );
}

/** Without an effort, a model with adaptive reasoning uses its own, and one with a budget does not reason. */
function thinkingFields(
  { reasoning, returnsReasoning, maxOutputTokens }: MessagesFacts,
  effort: Effort | undefined,
): ThinkingFields {
  if (reasoning === "adaptive") {
    if (effort === "off") return { thinking: { type: "disabled" } };
    const thinking = { type: "adaptive", display: returnsReasoning ? "summarized" : "omitted" } as const;
    return { thinking, ...(effort && { output_config: { effort } }) };
  }
  if (reasoning !== "budget" || effort === undefined || effort === "off") return {};
  const budget = Math.max(MIN_BUDGET_TOKENS, Math.floor(maxOutputTokens * BUDGET_SHARES[effort]));
  return budget < maxOutputTokens ? { thinking: { type: "enabled", budget_tokens: budget } } : {};
}

/**
 * Marks the ends of what the next request repeats: the tools, the system prompt and the last questions, where the prompt
 * until there has enough tokens.
 * @param repeated number of messages without that which asks for a continuation
 */
function withCacheMarks(
  { system, messages, isOnce, tools = [] }: Prompt,
  repeated: number,
  minTokens: number,
  slots: FileSlots,
): { tools: WireTool[] | undefined; system: string | TextBlock[]; messages: WireMessage[] } {
  let tokens = isOnce ? Number.NEGATIVE_INFINITY : toolTokens(tools);
  const markedTools = tools.map((tool, at) => wireTool(tool, tokens >= minTokens && at === tools.length - 1));
  tokens += likelyTokens(system);
  const markedSystem = tokens >= minTokens ? [textBlock(system, true)] : system;
  const questions = messages
    .slice(0, repeated)
    .filter(({ role }) => role === "user")
    .slice(-CACHED_QUESTIONS);
  const marked = messages.map((message): WireMessage => {
    tokens += messageTokens(message);
    return wireMessage(message, tokens >= minTokens && questions.includes(message), slots);
  });
  return { tools: tools.length > 0 ? markedTools : undefined, system: markedSystem, messages: marked };
}

type WireTool = { name: string; description: string; input_schema: object } & CacheControl;

function wireTool({ name, description, parameters }: OfferedTool, isMarked: boolean): WireTool {
  return { name, description, input_schema: parameters, ...(isMarked && { cache_control: CACHE_MARK }) };
}

/** The mark is on the last block. Files precede the text, as Anthropic recommends. */
function wireMessage(message: PromptMessage, isMarked: boolean, slots: FileSlots): WireMessage {
  const { role, content, turn } = message;
  if (turn?.format === "messages" && Array.isArray(turn.body)) return { role, content: turn.body };
  if (!isMarked && content.every(({ type }) => type === "text")) return { role, content: textOf(message) };
  return { role, content: content.map((part, at) => block(part, isMarked && at === content.length - 1, slots)) };
}

function block(part: PromptPart, isMarked: boolean, slots: FileSlots): WireBlock {
  const mark = isMarked && { cache_control: CACHE_MARK };
  switch (part.type) {
    case "text":
      return textBlock(part.text, isMarked);
    case "file":
      return fileBlock(part.file, isMarked, slots);
    case "call": {
      const { id, name, arguments: json } = part.call;
      return { type: "tool_use", id, name, input: argumentsObject(json), ...mark };
    }
    case "result": {
      const { callId, text, isError } = part.result;
      return { type: "tool_result", tool_use_id: callId, content: text, ...(isError && { is_error: true }), ...mark };
    }
  }
}

function textBlock(text: string, isMarked: boolean): TextBlock {
  return { type: "text", text, ...(isMarked && { cache_control: CACHE_MARK }) };
}

function fileBlock(file: PromptFile, isMarked: boolean, slots: FileSlots): FileBlock {
  const source: FileSource = { type: "base64", media_type: file.type, data: slots.base64(file) };
  const mark = isMarked && { cache_control: CACHE_MARK };
  if (file.kind === "picture") return { type: "image", source, ...mark };
  return { type: "document", source, title: promptName(file), ...mark };
}
