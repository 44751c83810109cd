import type { StreamedPicture } from "../attachments/streamed-pictures.ts";
import type { ModelEnd, OutputSink } from "../model.ts";
import type { ProviderSources } from "../sources/provider-sources.ts";
import { KeyFilter } from "./key-filter.ts";

/** Masks several texts, one after the other. */
class KeyFilters {
  readonly #filters: readonly KeyFilter[];

  constructor(secrets: readonly string[]) {
    this.#filters = secrets.map((secret) => new KeyFilter(secret));
  }

  push(piece: string): string {
    return this.#filters.reduce((text, filter) => filter.push(text), piece);
  }

  /** Returns the text that is still held back: each filter reads what those before it held back. */
  end(): string {
    return this.#filters.reduce((text, filter) => filter.push(text) + filter.end(), "");
  }
}

/**
 * Masks the secrets in the calls of an answer. What would go back unchanged is dropped if it has one, and so are sources.
 */
export function maskedEnd({ sources, ...end }: ModelEnd, secrets: readonly string[] = []): ModelEnd {
  const isSafe = sources && !hasSecret(sources, secrets);
  return { ...maskedCalls(end, secrets), ...(isSafe && { sources }) };
}

/** Whether an address or a title has a secret, also if an address has it percent-encoded, or in lower case as its host. */
export function hasSecret({ list, cited }: ProviderSources, secrets: readonly string[] = []): boolean {
  const searched = secrets.map((secret) => secret.toLowerCase());
  const texts = [...list, ...cited].flatMap(({ url, title }) => [url, decoded(url), title]);
  return texts.some((text) => searched.some((secret) => text.toLowerCase().includes(secret)));
}

/** Decodes each percent-encoded sequence of an address; an invalid one stays. */
const decoded = (url: string): string =>
  url.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });

function maskedCalls(end: ModelEnd, secrets: readonly string[]): ModelEnd {
  if (!end.tools) return end;
  const { calls, turn } = end.tools;
  const mask = (text: string) => {
    const filter = new KeyFilters(secrets);
    return filter.push(text) + filter.end();
  };
  const masked = calls.map((call) => ({ ...call, arguments: mask(call.arguments) }));
  const json = turn && JSON.stringify(turn.body);
  return { ...end, tools: { calls: masked, ...(turn && json === mask(json ?? "") && { turn }) } };
}

/**
 * Passes a model's output on in its order, with the provider's key and other secrets masked. Pieces of one kind in a row are joined until
 * `flush`, because a call of the sink costs more than a concatenation.
 */
export class MaskedOutput implements OutputSink {
  readonly #sink: OutputSink;
  readonly #textFilter: KeyFilters;
  readonly #reasoningFilter: KeyFilters;
  #joined = "";
  #isReasoning = false;

  constructor(sink: OutputSink, secrets: readonly string[] = []) {
    this.#sink = sink;
    this.#textFilter = new KeyFilters(secrets);
    this.#reasoningFilter = new KeyFilters(secrets);
  }

  onText(piece: string): void {
    if (this.#isReasoning) this.flush();
    this.#isReasoning = false;
    this.#joined += piece;
  }

  onReasoning(piece: string): void {
    if (!this.#isReasoning) this.flush();
    this.#isReasoning = true;
    this.#joined += piece;
  }

  /** Passes on all text first: it is what becomes reasoning. */
  onTakeBack(): void {
    this.flush();
    this.#passText(this.#textFilter.end());
    this.#sink.onTakeBack();
  }

  onCall(name: string): void {
    this.flush();
    this.#sink.onCall(name);
  }

  onPicture(picture: StreamedPicture): void {
    this.flush();
    this.#sink.onPicture(picture);
  }

  /** Passes on the pieces since the last call. A possible beginning of the key is held back. */
  flush(): void {
    if (this.#joined === "") return;
    const piece = this.#joined;
    this.#joined = "";
    if (this.#isReasoning) this.#passReasoning(this.#reasoningFilter.push(piece));
    else this.#passText(this.#textFilter.push(piece));
  }

  /** Passes on everything, also a possible beginning of the key. */
  end(): void {
    this.flush();
    this.#passReasoning(this.#reasoningFilter.end());
    this.#passText(this.#textFilter.end());
  }

  #passText(text: string): void {
    if (text !== "") this.#sink.onText(text);
  }

  #passReasoning(text: string): void {
    if (text !== "") this.#sink.onReasoning(text);
  }
}
