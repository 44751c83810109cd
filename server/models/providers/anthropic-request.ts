import type { Effort } from "#contract/effort.ts";
import type { ReasoningForm } from "../catalogue.ts";
import type { Prompt, PromptMessage } from "../model.ts";
import { approximateTokens } from "../prompt-window.ts";
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

type TextBlock = { type: "text"; text: string; cache_control?: typeof CACHE_MARK };
type WireMessage = { role: PromptMessage["role"]; content: string | TextBlock[] };
type Thinking =
  | { type: "adaptive"; display: "summarized" | "omitted" }
  | { type: "enabled"; budget_tokens: number }
  | { type: "disabled" };
type ThinkingFields = { thinking?: Thinking; output_config?: { effort: Effort } };

const CACHE_MARK = { type: "ephemeral" } as const;

/** Creates the body of a request to Anthropic's messages API. */
export function messagesBody(facts: MessagesFacts, prompt: Prompt) {
  const { name, maxOutputTokens, takesTemperature } = facts;
  const { temperature, effort } = prompt;
  const messages = fromQuestion(alternating(prompt.messages));
  const isPrefilled = facts.prefill && messages.at(-1)?.role === "assistant";
  // With reasoning, the API refuses a prefilled answer and a temperature.
  const thinking = isPrefilled ? {} : thinkingFields(facts, effort);
  const isThinking = thinking.thinking !== undefined && thinking.thinking.type !== "disabled";
  const asked = isPrefilled ? prefilled(messages) : withContinueRequest(messages);
  const marked = withCacheMarks({ ...prompt, messages: asked }, messages.length, facts.cacheMinTokens);
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
  return messages[0]?.role === "assistant" ? [{ role: "user", content: MISSING_QUESTION }, ...messages] : messages;
}

/** The API rejects a prefilled answer that ends in white space. */
function prefilled(messages: readonly PromptMessage[]): PromptMessage[] {
  return messages.map(({ role, content }, at) => ({
    role,
    content: at === messages.length - 1 ? content.trimEnd() : content,
  }));
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
function withCacheMarks({ system, messages, isOnce }: Prompt, repeated: number, minTokens: number) {
  const block = (text: string): TextBlock[] => [{ type: "text", text, cache_control: CACHE_MARK }];
  let tokens = isOnce ? Number.NEGATIVE_INFINITY : approximateTokens(system);
  const markedSystem = tokens >= minTokens ? block(system) : system;
  const questions = messages
    .slice(0, repeated)
    .filter(({ role }) => role === "user")
    .slice(-CACHED_QUESTIONS);
  const marked = messages.map((message): WireMessage => {
    tokens += approximateTokens(message.content);
    const isMarked = tokens >= minTokens && questions.includes(message);
    return isMarked ? { role: message.role, content: block(message.content) } : message;
  });
  return { system: markedSystem, messages: marked };
}
