import { setTimeout } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../../concurrency/abort-scope.ts";
import { refuserOf } from "../../../models/attachments/file-refusals.ts";
import type { Model } from "../../../models/model.ts";
import type { ModelError } from "../../../models/model-error.ts";
import type { Production } from "./production.ts";
import { RetryTimes } from "./retry-times.ts";

/** `isWithoutFiles`: the model has refused the files with which it was asked before. */
export type Attempt = { model: Model; isWithoutFiles?: boolean };

const MAX_RETRY_WAIT_MS = 20 * SECOND;
const RETRY_WAIT_MS = SECOND / 2;

/**
 * Decides which model is asked next for a reply. A single candidate is retried once if its error is transient. A model
 * that its provider no longer has is followed by its successor under automatic choice. A model that refuses attached
 * files is asked again without them, under automatic choice after the other candidates.
 */
export class Attempts {
  readonly #isAutomatic: boolean;
  readonly #retryTimes: RetryTimes;
  #left: Attempt[];
  #asked: Model | undefined;
  #failure: ModelError | undefined;

  constructor({ candidates, isAutomatic, clock }: Pick<Production, "candidates" | "isAutomatic" | "clock">) {
    this.#isAutomatic = isAutomatic;
    this.#retryTimes = new RetryTimes(clock);
    const models = candidates.length === 1 ? [...candidates, ...candidates] : candidates;
    this.#left = models.map((model) => ({ model }));
  }

  /** The model that was asked last. */
  get asked(): Model | undefined {
    return this.#asked;
  }

  /** The last failure. */
  get failure(): ModelError | undefined {
    return this.#failure;
  }

  /** The wait until one of the models may be asked again, in ms; undefined if no provider has asked for a wait. */
  get retryAfterMs(): number | undefined {
    // Another model's wait would repeat what none may answer.
    return this.#failure?.isForNextModel ? this.#retryTimes.retryAfterMs : undefined;
  }

  /**
   * Returns the next model to ask, after the wait of its provider if it was asked last; undefined if the reply ends with
   * the last failure.
   * @param hasOutput whether the reply has output of this run, which only another model may continue
   * @param signals end the wait
   */
  async next(hasOutput: boolean, signals: readonly AbortSignal[]): Promise<Attempt | undefined> {
    const next = this.#left.shift();
    if (!next) return undefined;
    const isRepeated = next.model === this.#asked && !next.isWithoutFiles;
    if (hasOutput && !next.isWithoutFiles && (!this.#isAutomatic || isRepeated)) return undefined;
    if (this.#failure && isRepeated && !(await waitToRetry(this.#failure, signals))) return undefined;
    this.#asked = next.model;
    return next;
  }

  /**
   * Notes the failure of the model that was asked last.
   * @param refusesFiles whether a call without the files is worth while
   * @returns whether another attempt is left
   */
  noteFailure(failure: ModelError, refusesFiles: () => boolean): boolean {
    const model = this.#asked;
    this.#failure = failure;
    if (!model) return false;
    this.#retryTimes.note(model, failure);
    if (!failure.isForNextModel) {
      this.#left = [];
      return false;
    }
    const { successor } = model;
    if (this.#isAutomatic && failure.trouble === "model" && successor) {
      this.#left = [{ model: successor }, ...this.#left.filter((attempt) => attempt.model !== model)];
    }
    if (refusesFiles()) this.#left = withoutFiles(model, this.#left);
    return this.#left.length > 0;
  }
}

/** Adds an attempt without the files that a model has refused, after those by others, which may accept the files. */
function withoutFiles(model: Model, attempts: readonly Attempt[]): Attempt[] {
  const isOther = (attempt: Attempt) => refuserOf(attempt.model) !== refuserOf(model);
  const again = { model, isWithoutFiles: true };
  return [...attempts.filter(isOther), again, ...attempts.filter((attempt) => !isOther(attempt))];
}

/** Waits for the provider's `retry-after`, up to a limit. @returns false if a retry is pointless */
async function waitToRetry(failure: ModelError, signals: readonly AbortSignal[]): Promise<boolean> {
  const waitMs = failure.retryAfterMs ?? RETRY_WAIT_MS;
  if (!failure.isRetryable || waitMs > MAX_RETRY_WAIT_MS) return false;
  using scope = new AbortScope({ parents: signals });
  const { signal } = scope;
  await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
