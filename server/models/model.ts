import type { Role } from "#contract/conversation/conversation.ts";
import type { FileKind, FileRemark } from "#contract/files/files.ts";
import type { Effort } from "#contract/models/effort.ts";
import type { FileLimits } from "./attachments/file-limits.ts";
import type { StreamedPicture } from "./attachments/streamed-pictures.ts";
import type { Price } from "./prices.ts";
import type { ProviderSources } from "./sources/provider-sources.ts";
import type { AnswerCalls, OfferedTool, ProviderTurn, ToolCall, ToolResult } from "./tool-calls/tool-call.ts";

export type ProviderName = "openai" | "anthropic" | "local" | "demo";

/**
 * Input of a model: literal texts, oldest first. An `assistant` message at the end is to be continued.
 * `temperature`: 0 to 2; by default the model's own. `effort`: of reasoning; by default the model's own. `isOnce`: no
 * later prompt begins like this one, so that it is not worth caching. `maxOutputTokens`: limit of the reply below the
 * model's own. `tools`: that the model may call.
 */
export type Prompt = {
  system: string;
  messages: PromptMessage[];
  temperature?: number;
  effort?: Effort;
  isOnce?: boolean;
  maxOutputTokens?: number;
  tools?: readonly OfferedTool[];
};

/** `tool`: results of the calls of the message before. */
export type PromptRole = Role | "tool";

/**
 * `content`: in its order, without empty texts. The text of a message refers to its files, which precede it; calls of
 * tools follow it. `turn`: of an answer that the same model gave in this loop of calls; replaces the calls.
 */
export type PromptMessage = { role: PromptRole; content: readonly PromptPart[]; turn?: ProviderTurn };

/** A part of a message. A prompt that is passed to a model has only files that it receives as they are (`promptForModel`). */
export type PromptPart =
  | { type: "text"; text: string }
  | { type: "file"; file: PromptFile }
  | { type: "call"; call: ToolCall }
  | { type: "result"; result: ToolResult };

/**
 * A file of a prompt. `kind`: how models can receive it; the text of a `text` or `pdf` is sent to models that do not
 * read the file itself. `name`: as its owner has named it, untrusted. `type`: media type.
 */
export type PromptFile = {
  id: string;
  name: string;
  type: string;
  kind: FileKind;
  /** In bytes. */
  size: number;
  /** Of a picture, in pixels. */
  width?: number | undefined;
  height?: number | undefined;
  /** Of a PDF. */
  pages?: number | undefined;
  /** Why it has no readable text, or not all of it. */
  remark?: FileRemark | undefined;
  /** Bytes of its readable text in UTF-8; 0 if it has none. */
  textBytes: number;
  readText(): Promise<string>;
  /** Streams the file's bytes. */
  open(): AsyncIterable<Uint8Array>;
};

/**
 * Regular end of a reply. `length`: the token limit was reached, and the reply may be continued. `refused`: the model
 * or the provider refused to answer. `calls`: the model waits for the results of `tools`, its calls, also where none
 * were offered. `sources`: that the provider names for the text.
 */
export type ModelEnd = {
  reason: "complete" | "length" | "refused" | "calls";
  usage?: TokenUsage;
  tools?: AnswerCalls;
  sources?: ProviderSources;
};

/** The provider's own token counts. Shares are absent if the provider does not report them. */
export type TokenUsage = {
  /** All input, with that from and to a cache. */
  inputTokens?: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  /** All output, with reasoning. */
  outputTokens?: number;
  reasoningTokens?: number;
};

/**
 * Receives a reply while it is streamed. Plain callbacks, because an async iterator costs several times the CPU per
 * word. `onLife`: bytes of any kind have arrived (pings too); called before their text. `onText`: a piece of the reply,
 * never empty. `onCall`: the model begins to write a call of a tool. `onReasoning`: a piece of readable reasoning, never
 * empty. `onTakeBack`: all text of the call so far was reasoning; called once at most, before other parts. `onPicture`: a
 * picture, between the text before and after it. `onSources`: what the provider has named so far, each time
 * that it has changed; called after the text before.
 */
export type ModelSink = {
  onText(text: string): void;
  onReasoning(text: string): void;
  onTakeBack(): void;
  onCall(name: string): void;
  onPicture(picture: StreamedPicture): void;
  onLife(): void;
  onSources?(sources: ProviderSources): void;
};

/** Receives the output of a model in its order. */
export type OutputSink = Omit<ModelSink, "onLife" | "onSources">;

/**
 * Kinds of files that a model receives as they are, and the limits of one request with them. `refusesPictures`: it was not
 * known whether it takes pictures, and its server has refused one as such; may change during a reply.
 */
export type AcceptedFiles = {
  readonly images: boolean;
  readonly refusesPictures?: boolean;
  readonly pdf: boolean;
  readonly limits: FileLimits;
};

export interface Model {
  /** As in the catalogue, e.g. `GPT:gpt-5-mini`. */
  readonly value: string;
  /** Whose dialect of its API it speaks. `local`: any server with OpenAI's API but OpenAI itself. */
  readonly provider: ProviderName;
  /** Id of its connection, by which its failures are counted. */
  readonly connectionId: string;
  /** Context window: limit of tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** Limit of tokens of a reply, for which a prompt leaves room. */
  readonly maxOutputTokens: number;
  /** Undefined if the price is unknown. */
  readonly price?: Price | undefined;
  /** Efforts of reasoning that it has, ascending; undefined if it has none to choose. A prompt asks for one of these. */
  readonly efforts?: readonly Effort[] | undefined;
  /** `false`: it takes no tools, as far as known. */
  readonly callsTools?: boolean | undefined;
  /** Absent: it receives text only. */
  readonly accepts?: AcceptedFiles | undefined;
  /** The model of the same connection that automatic choice asks once the provider no longer has this one. */
  readonly successor?: Model | undefined;
  /**
   * Makes one call to the provider: no retries, and no timeout of its own once connected. A request that is refused
   * only because of an optional field is repeated once without it. Aborting closes the
   * provider's connection at once and rejects with the signal's reason. A caller's timeout aborts with
   * `new ModelError("assistant-stalled")`, so that it counts against the provider.
   * @throws ModelError
   */
  stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd>;
}

/**
 * `candidates` is never empty, best first. The next one is tried only if the previous one failed before its first word.
 */
export type ModelChoice = { kind: "automatic"; candidates: Model[] } | { kind: "specific"; model: Model };

/** Wraps a model to measure its calls. `label` is for metrics: the settings bound the number of labels. */
export type WatchModel = (model: Model, label: string) => Model;

/** Returns a model with the facts of another one. Its calls are made by `stream`, which usually wraps the other's. */
export function withStream(model: Model, stream: Model["stream"]): Model {
  const { value, provider, connectionId, contextTokens, maxOutputTokens, price, efforts, accepts, successor } = model;
  const facts = { value, provider, connectionId, contextTokens, maxOutputTokens, price, efforts, accepts, successor };
  return { ...facts, callsTools: model.callsTools, stream };
}

/** Limit of an answer of a few words: room for the reasoning of models that cannot do without. */
export const SHORT_ANSWER_TOKENS = 1024;

/** Returns the limit of tokens of a reply to a prompt. */
export function outputLimit(model: Pick<Model, "maxOutputTokens">, prompt: Prompt): number {
  return Math.min(model.maxOutputTokens, prompt.maxOutputTokens ?? model.maxOutputTokens);
}

/** Returns a sink that passes everything on, but text to `onText`. */
export function withText(sink: ModelSink, onText: ModelSink["onText"]): ModelSink {
  return {
    onText,
    onReasoning: (text) => sink.onReasoning(text),
    onTakeBack: () => sink.onTakeBack(),
    onCall: (name) => sink.onCall(name),
    onPicture: (picture) => sink.onPicture(picture),
    onLife: () => sink.onLife(),
    onSources: (sources) => sink.onSources?.(sources),
  };
}
