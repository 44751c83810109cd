import type { Model, Prompt } from "../model.ts";
import type { ModelError } from "../model-error.ts";
import { filesOf } from "../prompt-message.ts";

/** Failed calls for one reply after which a model is asked without any files. */
const MAX_REFUSALS = 2;
/** Statuses of a request that is refused as it is. 413: a gateway accepts less than the provider documents. */
const REFUSED_REQUEST: readonly (number | undefined)[] = [400, 413, 415, 422];
/** Codes of errors whose cause a provider has not named. */
const UNNAMED: readonly string[] = ["assistant-failed", "assistant-too-long"];

/** The party that refuses files: a provider, or a local model, because a local server may have very different ones. */
export function refuserOf({ provider, value }: Pick<Model, "provider" | "value">): string {
  return provider === "local" ? value : provider;
}

/**
 * Files that are left out of the calls for one reply, because a provider has refused them. Some refusals name a file, by
 * an error code or by a path. Others do not: Anthropic answers a picture that it cannot decode with 400 and a sentence.
 * Then calls without some of the files show which are the reason.
 */
export class FileRefusals {
  readonly #ids = new Map<string, Set<string>>();
  /** Failed calls with files, by refuser. */
  readonly #counts = new Map<string, number>();
  /** Files of the last question that may be the reason of a refusal, by refuser. */
  readonly #suspects = new Map<string, readonly string[]>();

  /** Returns the ids of the files that a model is not to receive as they are. */
  of(model: Pick<Model, "provider" | "value">): ReadonlySet<string> {
    return this.#of(refuserOf(model));
  }

  /** Adds files that a refuser is known to refuse. */
  add(refuser: string, ids: Iterable<string>): void {
    const known = this.#of(refuser);
    for (const id of ids) known.add(id);
  }

  /**
   * Notes a failed call.
   * @param prompt as the model received it
   * @returns whether files may be the reason, so that a call without them is worth while
   */
  note(model: Pick<Model, "provider" | "value">, error: ModelError, prompt: Prompt): boolean {
    const sent = prompt.messages.map((message) => filesOf(message).map(({ id }) => id));
    const all = sent.flat();
    if (all.length === 0) return false;
    const refuser = refuserOf(model);
    const count = (this.#counts.get(refuser) ?? 0) + 1;
    this.#counts.set(refuser, count);
    if (!error.isAboutFile && !mayBeAboutFile(model, error, count)) return false;
    if (count > MAX_REFUSALS) this.add(refuser, all);
    else if (error.refusedFile !== undefined) this.add(refuser, [error.refusedFile]);
    else this.#addSuspects(refuser, sent);
    return true;
  }

  /** Leaves out the files of the last message that has any; if a call without them failed too, the others instead. */
  #addSuspects(refuser: string, sent: readonly string[][]): void {
    const former = this.#suspects.get(refuser);
    const newest = sent.findLast((ids) => ids.length > 0) ?? [];
    const known = this.#of(refuser);
    for (const id of former ?? []) known.delete(id);
    this.add(refuser, former ? sent.flat() : newest);
    if (!former) this.#suspects.set(refuser, newest);
  }

  #of(refuser: string): Set<string> {
    const known = this.#ids.get(refuser) ?? new Set();
    this.#ids.set(refuser, known);
    return known;
  }
}

/** @param count failed calls with files, this one included */
function mayBeAboutFile({ provider }: Pick<Model, "provider">, { code, status }: ModelError, count: number): boolean {
  if (!UNNAMED.includes(code)) return false;
  // Context windows have codes of their own.
  if (code === "assistant-too-long") return status === 413;
  // Ollama and llama.cpp answer a picture that they cannot decode with 500, which may also pass.
  return REFUSED_REQUEST.includes(status) || (provider === "local" && status === 500 && count > 1);
}
