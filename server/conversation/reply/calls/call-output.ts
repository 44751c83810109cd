import type { ProviderSources } from "../../../models/sources/provider-sources.ts";
import { callPartsOf, type Notice } from "../../parts/message-part.ts";
import type { GrowingReply } from "../live-reply.ts";
import { Citations } from "../steps/citations.ts";
import { providerCitations } from "../steps/provider-citations.ts";
import { OverlapFilter } from "./overlap-filter.ts";

/**
 * Appends the output of one call to a reply: its notices before its first reasoning or text, and its text. A
 * continuation is appended without repeated text, and with a seam before its first word.
 */
export class CallOutput {
  readonly #reply: GrowingReply;
  readonly #notices: readonly Notice[];
  readonly #onFirst: () => void;
  /** Undefined if the call continues no text. */
  readonly #filter: OverlapFilter | undefined;
  /** What separates the text of a step from the text before its calls. */
  readonly #separator: string;
  /** Undefined if no tool has run, which can have sources. */
  #citations: Citations | undefined;
  /** Length of the text before the output, in UTF-16 units. */
  readonly #from: number;
  /** Length of the text of this call, in UTF-16 units, with what was left out as a repetition. */
  #received = 0;
  #hasBegun = false;
  #hasWords = false;

  /** @param onFirst called before the first output */
  constructor(reply: GrowingReply, notices: readonly Notice[], onFirst: () => void) {
    this.#reply = reply;
    this.#notices = notices;
    this.#onFirst = onFirst;
    const { text } = reply;
    this.#from = text.length;
    const lastCall = callPartsOf(reply.parts.all).at(-1);
    const isAfterCalls = lastCall !== undefined && text.slice(lastCall.at).trim() === "";
    this.#filter = text === "" || isAfterCalls ? undefined : new OverlapFilter(text);
    if (lastCall) this.#citations = new Citations(reply.parts.all, text.length);
    this.#separator = isAfterCalls && text !== "" && !text.endsWith("\n\n") ? "\n\n" : "";
  }

  /** Where the provider's text begins in the text of the reply, in UTF-16 units: before it, if a repetition was left out. */
  get begin(): number {
    return this.#hasWords ? this.#reply.text.length - this.#received : this.#from + this.#separator.length;
  }

  /** Notes that a picture follows. */
  notePicture(): void {
    if (!this.#hasBegun) this.#begin();
  }

  appendReasoning(text: string): void {
    if (!this.#hasBegun) this.#begin();
    this.#reply.appendReasoning(text);
  }

  append(text: string): void {
    this.#received += text.length;
    this.#add(this.#filter ? this.#filter.push(text) : text);
  }

  /** Makes reasoning of the text of this call. If the reply must keep it, a paragraph ends with it. */
  takeBack(): void {
    this.#received = 0;
    if (this.#filter || !this.#reply.takeBack()) this.append("\n\n");
    // The text begins anew.
    else if (this.#citations) this.#citations = new Citations(this.#reply.parts.all, 0);
  }

  /**
   * Ends the output regularly: appends the text that was held back as a possible repetition, and cites the sources that
   * the provider has named for the text.
   */
  end(sources?: ProviderSources): void {
    if (this.#filter) this.#add(this.#filter.end());
    this.#citeAll(sources);
  }

  /**
   * Ends the output of a call that failed or was stopped: cites what the reply has of it.
   * @param sources that the provider has named by then, perhaps for text that has not arrived here
   */
  cut(sources?: ProviderSources): void {
    this.#citeAll(sources && { ...sources, length: this.#received });
  }

  #citeAll(sources: ProviderSources | undefined): void {
    this.#cite({ isEnded: true });
    if (!sources || !this.#hasWords) return;
    const { text, parts } = this.#reply;
    const context = { from: Math.min(this.#from, text.length), parts: parts.all };
    for (const { at, body } of providerCitations(text, sources, context)) this.#reply.addSource(body, at);
  }

  #cite(options?: { isEnded: boolean }): void {
    if (!this.#citations) return;
    for (const { at, body } of this.#citations.find(this.#reply.text, options)) this.#reply.addSource(body, at);
  }

  #add(text: string): void {
    if (text === "") return;
    if (!this.#hasWords && this.#filter) this.#reply.markSeam();
    const isFirst = !this.#hasWords;
    this.#hasWords = true;
    if (!this.#hasBegun) this.#begin();
    this.#reply.append(isFirst ? this.#separator + text : text);
    this.#cite();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#onFirst();
    for (const { code, params } of this.#notices) this.#reply.addNotice(code, params);
  }
}
