import { ThinkingFilter } from "#contract/text/reasoning/thinking-filter.ts";
import { parseJson } from "../../text/parse-json.ts";
import { field, isRecord, textField } from "../../text/wire-json.ts";
import { StreamedPictures } from "../attachments/streamed-pictures.ts";
import type { ModelEnd, OutputSink, TokenUsage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { type ProviderSources, SourceCollector } from "../sources/provider-sources.ts";
import { ChatCallDeltas } from "../tool-calls/chat-call-deltas.ts";
import type { WireReader } from "./event-stream-call.ts";
import { errorFromEvent } from "./provider-errors.ts";
import { chatCompletionUsage } from "./token-usage.ts";

export type ChatCompletionReaderOptions = {
  isThoughtInPrompt?: boolean;
  onThoughtInPrompt?: (isInPrompt: boolean) => void;
  hasTools?: boolean;
};

/**
 * Reads the chunks of one streamed chat completion, as OpenAI and its imitators send them.
 */
export class ChatCompletionReader implements WireReader {
  readonly #thinking: ThinkingFilter;
  readonly #onThoughtInPrompt: (isInPrompt: boolean) => void;
  #reason: ModelEnd["reason"] | undefined;
  #isClosed = false;
  #hasPictures = false;
  readonly #pictures = new StreamedPictures();
  #usage: TokenUsage = {};
  readonly #calls = new ChatCallDeltas();
  readonly #hasTools: boolean;
  readonly #sources = new SourceCollector();
  #textSink: Omit<OutputSink, "onCall" | "onPicture"> | undefined;

  /**
   * @param isThoughtInPrompt whether the model's template opens the thought in the prompt
   * @param onThoughtInPrompt called when the reply shows that it does, or does not
   * @param hasTools whether tools were offered
   */
  constructor({
    isThoughtInPrompt = false,
    onThoughtInPrompt = () => undefined,
    hasTools = false,
  }: ChatCompletionReaderOptions = {}) {
    this.#hasTools = hasTools;
    this.#thinking = new ThinkingFilter({
      isOpen: isThoughtInPrompt,
      onTakeBack: () => onThoughtInPrompt(true),
    });
    this.#onThoughtInPrompt = onThoughtInPrompt;
  }

  lift(piece: string): string {
    return this.#pictures.lift(piece);
  }

  read(data: string, sink: OutputSink): "open" | "ended" | "closed" {
    if (data === "[DONE]") {
      this.#isClosed = true;
      return "closed";
    }
    if (data === "") return this.#state;
    const chunk = parseJson(data);
    // Gemini sends its errors in an array.
    if (Array.isArray(chunk) && field(chunk[0], "error")) throw errorFromEvent(chunk);
    if (!isRecord(chunk)) throw new ModelError("assistant-broken-off");
    if (field(chunk, "error") || field(chunk, "object") === "error") throw errorFromEvent(chunk);
    this.#readUsage(field(chunk, "usage"));
    this.#sources.readLists(chunk);
    const choices = field(chunk, "choices");
    if (Array.isArray(choices)) this.#readChoice(choices[0], sink);
    // Groq sends it with the last choice.
    if (this.#reason !== undefined) this.#readUsage(field(field(chunk, "x_groq"), "usage"));
    return this.#state;
  }

  finish(sink: OutputSink): void {
    const hasThought = this.#thinking.end(this.#counted(sink), { isCut: this.#reason === "length" });
    if (!hasThought) this.#onThoughtInPrompt(false);
  }

  get sourceChanges(): number {
    return this.#sources.changes;
  }

  sources(): ProviderSources | undefined {
    return this.#sources.end();
  }

  end(): ModelEnd | undefined {
    if (this.#reason === undefined && !this.#isClosed) return undefined;
    const reason = this.#reason ?? "complete";
    const sources = this.#sources.end();
    const facts = { usage: this.#usage, ...(sources && { sources }) };
    // Calls of an answer that was cut may be incomplete.
    if (reason !== "complete" || this.#calls.isEmpty) return { reason, ...facts };
    return { reason: "calls", ...facts, tools: this.#calls.end(this.#hasTools) };
  }

  get #state(): "open" | "ended" {
    return this.#reason === undefined ? "open" : "ended";
  }

  #readChoice(choice: unknown, sink: OutputSink): void {
    this.#readAnnotations(choice);
    if (this.#reason !== undefined) return;
    const delta = field(choice, "delta");
    // DeepSeek, Qwen, Kimi and xAI; Groq, vLLM and Ollama. A server that sends both sends the same in each.
    const reasoning = textField(delta, "reasoning_content") || textField(delta, "reasoning");
    if (reasoning !== "") {
      this.#thinking.noteReasoning();
      sink.onReasoning(reasoning);
    }
    if (this.#hasTools) this.#keepForReturn(delta);
    const content = field(delta, "content");
    // Gemini marks the deltas of its reasoning, and has tags of its own in their text.
    if (field(field(field(delta, "extra_content"), "google"), "thought") === true) this.#thinking.expectTag("thought");
    if (typeof content === "string") this.#pushText(content, sink);
    else if (Array.isArray(content)) for (const chunk of content) this.#readContentChunk(chunk, sink);
    const calls = field(delta, "tool_calls");
    if (calls !== undefined) this.#calls.push(calls, (name) => sink.onCall(name));
    this.#readPictures(choice, sink);
    const isRefused = textField(delta, "refusal") !== "";
    const finish = textField(choice, "finish_reason");
    // Gemini adds its own reason: `content_filter: PROHIBITED_CONTENT`.
    if (isRefused || /^content_filter\b/.test(finish)) this.#reason = "refused";
    else if (finish === "length") this.#reason = "length";
    else if (finish === "error") throw new ModelError("assistant-broken-off");
    else if (finish !== "") this.#reason = "complete";
    // Kimi sends it within the last choice.
    if (this.#reason !== undefined) this.#readUsage(field(choice, "usage"));
  }

  #pushText(piece: string, sink: OutputSink): void {
    this.#sources.noteReceived(piece);
    this.#thinking.push(piece, this.#counted(sink));
  }

  /** Returns a sink that counts the text, in which citations have their positions. One for all pieces of a call. */
  #counted(sink: OutputSink) {
    this.#textSink ??= {
      onText: (text) => {
        this.#sources.addText(text);
        sink.onText(text);
      },
      onReasoning: (text) => sink.onReasoning(text),
      onTakeBack: () => {
        this.#sources.takeBack();
        sink.onTakeBack();
      },
    };
    return this.#textSink;
  }

  /** Reads citations of OpenAI and OpenRouter, which may also come with a whole message at the end. */
  #readAnnotations(choice: unknown): void {
    for (const source of [field(choice, "delta"), field(choice, "message")]) {
      const annotations = field(source, "annotations");
      if (Array.isArray(annotations)) for (const each of annotations) this.#sources.readAnnotation(each);
    }
  }

  #keepForReturn(delta: unknown): void {
    this.#calls.pushReasoning(textField(delta, "reasoning_content"));
    this.#calls.pushDetails(field(delta, "reasoning_details"));
  }

  /** Reads an element of `content` as Mistral's reasoning models send it: `text`, or `thinking` of such elements. */
  #readContentChunk(chunk: unknown, sink: OutputSink): void {
    const type = field(chunk, "type");
    if (type === "text") {
      this.#pushText(textField(chunk, "text"), sink);
    } else if (type === "thinking") {
      const thinking = field(chunk, "thinking");
      if (typeof thinking === "string") sink.onReasoning(thinking);
      else if (Array.isArray(thinking)) for (const part of thinking) sink.onReasoning(textField(part, "text"));
    } else if (type === "image_url") {
      this.#passPicture(chunk, sink);
    }
  }

  /** Reads the pictures of OpenRouter and gateways like it. A whole message at the end may repeat those of the deltas. */
  #readPictures(choice: unknown, sink: OutputSink): void {
    const message = this.#hasPictures ? undefined : field(choice, "message");
    for (const source of [field(choice, "delta"), message]) {
      const images = field(source, "images");
      for (const image of Array.isArray(images) ? images : []) this.#passPicture(image, sink);
    }
  }

  #passPicture(image: unknown, sink: OutputSink): void {
    this.#hasPictures = true;
    sink.onPicture(this.#pictures.take(textField(field(image, "image_url"), "url")));
  }

  #readUsage(usage: unknown): void {
    if (isRecord(usage)) this.#usage = { ...this.#usage, ...chatCompletionUsage(usage) };
  }
}
