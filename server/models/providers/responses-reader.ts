import { parseJson } from "../../text/parse-json.ts";
import { countField, field, isRecord, textField } from "../../text/wire-json.ts";
import type { ModelEnd, OutputSink, TokenUsage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { type ProviderSources, SourceCollector } from "../sources/provider-sources.ts";
import { ResponseItems } from "../tool-calls/response-items.ts";
import type { WireReader } from "./event-stream-call.ts";
import { errorFromEvent } from "./provider-errors.ts";
import { responseUsage } from "./token-usage.ts";

/**
 * Reads the events of one streamed response of OpenAI's Responses API. Output items are identified by `output_index`,
 * because gateways change item ids within a stream.
 */
export class ResponsesReader implements WireReader {
  /** Output item and section of the last reasoning, e.g. one summary; undefined before the first. */
  #lastSection: { outputIndex: number; index: number } | undefined;
  /** Output index of the newest item, to which events without an index belong. */
  #newestIndex = 0;
  /** Output indexes of messages that comment on the model's work, and are not the answer. */
  readonly #commentary = new Set<number>();
  #reason: ModelEnd["reason"] = "complete";
  #isClosed = false;
  #usage: TokenUsage = {};
  readonly #items: ResponseItems;
  readonly #sources = new SourceCollector();
  /** Lengths of the text before each part of a message, by its output and content index. */
  readonly #starts = new Map<string, number>();

  /** @param hasTools whether tools were offered */
  constructor({ hasTools = false } = {}) {
    this.#items = new ResponseItems(hasTools);
  }

  read(data: string, sink: OutputSink): "open" | "closed" {
    if (data === "" || data === "[DONE]") return "open";
    const event = parseJson(data);
    if (!isRecord(event)) throw new ModelError("assistant-broken-off");
    switch (field(event, "type")) {
      case "response.output_text.delta":
        this.#readText(event, sink);
        return "open";
      case "response.reasoning_summary_text.delta":
        this.#addReasoning(event, "summary_index", sink);
        return "open";
      case "response.reasoning_text.delta":
        this.#addReasoning(event, "content_index", sink);
        return "open";
      case "response.refusal.delta":
        this.#reason = "refused";
        return "open";
      case "response.output_item.added":
        this.#readItem(event);
        this.#items.begin(field(event, "item"), (name) => sink.onCall(name));
        return "open";
      case "response.output_text.annotation.added":
        this.#readAnnotation(event, field(event, "annotation"));
        return "open";
      case "response.output_item.done":
        this.#items.finish(event);
        this.#readItemAnnotations(event);
        return "open";
      case "response.function_call_arguments.delta":
        this.#items.addArguments(textField(event, "delta"));
        return "open";
      case "response.completed":
        this.#close(event, "complete");
        return "closed";
      case "response.incomplete":
        this.#close(event, "length");
        return "closed";
      case "response.failed":
        throw errorFromEvent(field(event, "response"));
      case "error":
        throw errorFromEvent(event);
      default:
        // Other items, and event types that may be added later.
        if (field(event, "error")) throw errorFromEvent(event);
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
    const tools = this.#reason === "complete" ? this.#items.end() : undefined;
    const sources = this.#sources.end();
    const facts = { usage: this.#usage, ...(tools && { tools }), ...(sources && { sources }) };
    return { reason: tools ? "calls" : this.#reason, ...facts };
  }

  #readItem(event: unknown): void {
    this.#newestIndex = countField(event, "output_index") ?? this.#newestIndex + 1;
    if (field(field(event, "item"), "phase") === "commentary") this.#commentary.add(this.#newestIndex);
  }

  #readText(event: unknown, sink: OutputSink): void {
    if (this.#commentary.size > 0 && this.#commentary.has(this.#outputIndexOf(event))) {
      this.#addReasoning(event, "content_index", sink);
    } else {
      const delta = textField(event, "delta");
      const part = this.#partOf(event);
      if (!this.#starts.has(part)) this.#starts.set(part, this.#sources.length);
      this.#sources.addText(delta);
      sink.onText(delta);
    }
  }

  /** Reads a citation, which counts in its part of a message. One of commentary is none of the answer. */
  #readAnnotation(event: unknown, annotation: unknown, part = this.#partOf(event)): void {
    const start = this.#starts.get(part);
    if (start !== undefined) this.#sources.readAnnotation(annotation, start);
  }

  /** Gateways may send citations with the whole item only. */
  #readItemAnnotations(event: unknown): void {
    const content = field(field(event, "item"), "content");
    for (const [index, part] of Array.isArray(content) ? content.entries() : []) {
      const annotations = field(part, "annotations");
      for (const each of Array.isArray(annotations) ? annotations : []) {
        this.#readAnnotation(event, each, `${this.#outputIndexOf(event)} ${index}`);
      }
    }
  }

  #partOf(event: unknown): string {
    return `${this.#outputIndexOf(event)} ${countField(event, "content_index") ?? 0}`;
  }

  /** Adds the delta of a section of reasoning. Sections are separated by a blank line. */
  #addReasoning(event: unknown, indexName: "summary_index" | "content_index", sink: OutputSink): void {
    const delta = textField(event, "delta");
    if (delta === "") return;
    const outputIndex = this.#outputIndexOf(event);
    const index = countField(event, indexName) ?? 0;
    const last = this.#lastSection;
    if (last?.outputIndex !== outputIndex || last.index !== index) {
      if (last) sink.onReasoning("\n\n");
      this.#lastSection = { outputIndex, index };
    }
    sink.onReasoning(delta);
  }

  #close(event: unknown, reason: "complete" | "length"): void {
    const response = field(event, "response");
    const incompleteReason = textField(field(response, "incomplete_details"), "reason");
    if (incompleteReason === "content_filter") this.#reason = "refused";
    else if (this.#reason !== "refused") this.#reason = reason;
    this.#usage = responseUsage(field(response, "usage"));
    this.#sources.readLists(response);
    this.#isClosed = true;
  }

  #outputIndexOf(event: unknown): number {
    return countField(event, "output_index") ?? this.#newestIndex;
  }
}
