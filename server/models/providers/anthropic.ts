import { parseJson } from "../../text/parse-json.ts";
import { countField, field, isRecord, MAX_COUNT, textField } from "../../text/wire-json.ts";
import { anthropicLimits } from "../attachments/file-limits.ts";
import type { ModelEnd, ModelSink, OutputSink, Prompt, TokenUsage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { hasTools } from "../prompt-message.ts";
import { type ProviderSources, SourceCollector } from "../sources/provider-sources.ts";
import { AnthropicBlocks } from "../tool-calls/anthropic-blocks.ts";
import { type MessagesFacts, messagesBody } from "./anthropic-request.ts";
import { callForEvents, type WireReader } from "./event-stream-call.ts";
import { FileSlots } from "./file-slots.ts";
import { errorFromEvent } from "./provider-errors.ts";
import { ProviderModel, type ProviderModelSettings } from "./provider-model.ts";

type Settings = ProviderModelSettings & MessagesFacts;

const API_VERSION = "2023-06-01";
/** Counts of a message's usage. `input_tokens` excludes tokens that were read from a cache or written to it. */
const COUNTS = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"] as const;

/** A model behind Anthropic's messages API. */
export class AnthropicModel extends ProviderModel<Settings> {
  constructor(settings: Settings) {
    super(settings, anthropicLimits);
  }

  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    const { connection } = this.settings;
    const slots = new FileSlots();
    return callForEvents({
      dispatcher: await connection.dispatcher(),
      url: connection.url("messages"),
      headers: {
        ...(await connection.headers(this.settings.caller)),
        "anthropic-version": API_VERSION,
        ...(connection.apiKey !== undefined && { "x-api-key": connection.apiKey }),
      },
      body: slots.encode(messagesBody(this.settings, prompt, slots)),
      secrets: connection.secrets,
      reader: new AnthropicReader({ hasTools: hasTools(prompt) }),
      sink,
      signal,
    });
  }
}

/** Citations of one block of text. */
const BLOCK_CITATIONS_MAX = 50;

/** Reads the events of one streamed message. */
export class AnthropicReader implements WireReader {
  /** Whether the last block with content is reasoning. */
  #hasReasoning = false;
  /** Text between two blocks of reasoning that still has to precede the next piece. */
  #separator = "";
  #hasText = false;
  #reason: ModelEnd["reason"] = "complete";
  #isClosed = false;
  #counts: Partial<Record<(typeof COUNTS)[number], number>> = {};
  #reasoningTokens: number | undefined;
  #blocks: AnthropicBlocks;
  #sources = new SourceCollector();
  /** Citations of the open block of text. */
  #openCitations: unknown[] = [];
  readonly #hasTools: boolean;

  /** @param hasTools whether tools were offered */
  constructor({ hasTools = false } = {}) {
    this.#hasTools = hasTools;
    this.#blocks = new AnthropicBlocks(hasTools);
  }

  read(data: string, sink: OutputSink): "open" | "closed" {
    if (data === "" || data === "[DONE]") return "open";
    const event = parseJson(data);
    if (!isRecord(event)) throw new ModelError("assistant-broken-off");
    switch (field(event, "type")) {
      case "content_block_delta":
        this.#readDelta(field(event, "delta"), sink);
        this.#blocks.add(event);
        return "open";
      case "content_block_start":
        this.#readBlock(field(event, "content_block"), sink);
        this.#blocks.begin(event, (name) => sink.onCall(name));
        return "open";
      case "content_block_stop":
        this.#endBlock();
        return "open";
      case "message_start":
        this.#begin();
        this.#readUsage(field(field(event, "message"), "usage"));
        return "open";
      case "message_delta":
        this.#readUsage(field(event, "usage"));
        this.#readStop(textField(field(event, "delta"), "stop_reason"));
        return "open";
      case "message_stop":
        this.#isClosed = true;
        return "closed";
      case "error":
        throw errorFromEvent(event);
      default:
        // Pings, and event types that may be added later.
        return "open";
    }
  }

  get sourceChanges(): number {
    return this.#sources.changes;
  }

  sources(): ProviderSources | undefined {
    return this.#sources.end();
  }

  end(): ModelEnd | undefined {
    if (!this.#isClosed) return undefined;
    // Calls of an answer that was cut may be incomplete.
    const tools = this.#reason === "complete" ? this.#blocks.end() : undefined;
    this.#endBlock();
    const sources = this.#sources.end();
    const facts = { usage: this.#usage(), ...(tools && { tools }), ...(sources && { sources }) };
    return { reason: tools ? "calls" : this.#reason, ...facts };
  }

  /** Adds the citations of a block of text, which are for the whole block. */
  #endBlock(): void {
    const citations = this.#openCitations;
    const to = this.#sources.length;
    for (const each of citations) {
      // Results of a search have an address; citations of documents of the request have none.
      const url = textField(each, "url") || textField(each, "source");
      this.#sources.cite(url, textField(each, "title"), { to });
    }
    this.#openCitations = [];
  }

  /**
   * Begins anew: a gateway that repeats its request sends a second start, and drops what the first one had begun. Words
   * that a person has seen are never taken back, and the new answer would repeat them in other words. The reply
   * therefore ends like any that breaks off, and can be continued from its last word.
   */
  #begin(): void {
    if (this.#hasText) throw new ModelError("assistant-broken-off");
    this.#reason = "complete";
    this.#counts = {};
    this.#reasoningTokens = undefined;
    this.#sources = new SourceCollector();
    this.#openCitations = [];
    this.#blocks = new AnthropicBlocks(this.#hasTools);
  }

  /** Reads text and readable reasoning. */
  #readBlock(block: unknown, sink: OutputSink): void {
    switch (field(block, "type")) {
      case "text": {
        this.#endBlock();
        const citations = field(block, "citations");
        if (Array.isArray(citations)) this.#openCitations.push(...citations.slice(0, BLOCK_CITATIONS_MAX));
        this.#addText(textField(block, "text"), sink);
        return;
      }
      case "thinking":
        if (this.#hasReasoning) this.#separator = "\n\n";
        this.#addReasoning(textField(block, "thinking"), sink);
    }
  }

  #readDelta(delta: unknown, sink: OutputSink): void {
    const type = field(delta, "type");
    if (type === "text_delta") this.#addText(textField(delta, "text"), sink);
    else if (type === "thinking_delta") this.#addReasoning(textField(delta, "thinking"), sink);
    else if (type === "citations_delta" && this.#openCitations.length < BLOCK_CITATIONS_MAX)
      this.#openCitations.push(field(delta, "citation"));
  }

  #addText(text: string, sink: OutputSink): void {
    if (text !== "") this.#hasText = true;
    this.#sources.addText(text);
    sink.onText(text);
    // Reasoning after text stands apart from that before it.
    this.#hasReasoning = false;
  }

  #addReasoning(text: string, sink: OutputSink): void {
    if (text === "") return;
    sink.onReasoning(this.#separator + text);
    this.#separator = "";
    this.#hasReasoning = true;
  }

  #readStop(reason: string): void {
    if (reason === "refusal") this.#reason = "refused";
    // `pause_turn`: the provider interrupted a long answer, which a next request continues.
    else if (["max_tokens", "model_context_window_exceeded", "pause_turn"].includes(reason)) this.#reason = "length";
  }

  /** Reads counts, each of which replaces the former one. */
  #readUsage(usage: unknown): void {
    for (const name of COUNTS) {
      const count = countField(usage, name);
      if (count !== undefined) this.#counts[name] = count;
    }
    const reasoning = countField(field(usage, "output_tokens_details"), "thinking_tokens");
    if (reasoning !== undefined) this.#reasoningTokens = reasoning;
  }

  #usage(): TokenUsage {
    const { input_tokens: uncached, output_tokens: outputTokens } = this.#counts;
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = this.#counts;
    const reasoningTokens = this.#reasoningTokens;
    return {
      ...(uncached !== undefined && { inputTokens: Math.min(uncached + (read ?? 0) + (written ?? 0), MAX_COUNT) }),
      ...(read !== undefined && { cachedInputTokens: read }),
      ...(written !== undefined && { cacheWriteTokens: written }),
      ...(outputTokens !== undefined && { outputTokens }),
      ...(reasoningTokens !== undefined && { reasoningTokens }),
    };
  }
}
