import type { Effort } from "#contract/models/effort.ts";
import { promptName } from "../attachments/file-text.ts";
import type { ReasoningForm } from "../catalogue.ts";
import { outputLimit, type Prompt, type PromptFile, type PromptMessage, type PromptPart } from "../model.ts";
import { promptMessage, textOf } from "../prompt-message.ts";
import { likelyTokens, messageTokens } from "../prompt-window.ts";
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
type FileBlock = ({ type: "image" } | { type: "document"; title: string }) & { source: FileSource } & CacheControl;
type WireMessage = { role: PromptMessage["role"]; content: string | (TextBlock | FileBlock)[] };
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
  const messages = fromQuestion(alternating(prompt.messages));
  const isPrefilled = facts.prefill && messages.at(-1)?.role === "assistant";
  // With reasoning, the API refuses a prefilled answer and a temperature.
  const thinking = isPrefilled ? {} : thinkingFields({ ...facts, maxOutputTokens }, effort);
  const isThinking = thinking.thinking !== undefined && thinking.thinking.type !== "disabled";
  const asked = isPrefilled ? prefilled(messages) : withContinueRequest(messages);
  const marked = withCacheMarks({ ...prompt, messages: asked }, messages.length, facts.cacheMinTokens, slots);
  return {
    model: name,
    max_tokens: maxOutputTokens,
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
 * Marks the ends of what the next request repeats: the system prompt and the last questions, where the prompt until
 * there has enough tokens.
 * @param repeated number of messages without that which asks for a continuation
 */
function withCacheMarks(
  { system, messages, isOnce }: Prompt,
  repeated: number,
  minTokens: number,
  slots: FileSlots,
): { system: string | TextBlock[]; messages: WireMessage[] } {
  let tokens = isOnce ? Number.NEGATIVE_INFINITY : likelyTokens(system);
  const markedSystem = tokens >= minTokens ? [textBlock(system, true)] : system;
  const questions = messages
    .slice(0, repeated)
    .filter(({ role }) => role === "user")
    .slice(-CACHED_QUESTIONS);
  const marked = messages.map((message): WireMessage => {
    tokens += messageTokens(message);
    return wireMessage(message, tokens >= minTokens && questions.includes(message), slots);
  });
  return { system: markedSystem, messages: marked };
}

/** The mark is on the last block. Files precede the text, as Anthropic recommends. */
function wireMessage(message: PromptMessage, isMarked: boolean, slots: FileSlots): WireMessage {
  const { role, content } = message;
  if (!isMarked && content.every(({ type }) => type === "text")) return { role, content: textOf(message) };
  return { role, content: content.map((part, at) => block(part, isMarked && at === content.length - 1, slots)) };
}

function block(part: PromptPart, isMarked: boolean, slots: FileSlots): TextBlock | FileBlock {
  return part.type === "text" ? textBlock(part.text, isMarked) : fileBlock(part.file, isMarked, slots);
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
