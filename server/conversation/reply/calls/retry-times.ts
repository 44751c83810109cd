import { SECOND } from "#contract/limits.ts";
import { WAIT_MAX } from "#contract/times.ts";
import type { Clock } from "../../../concurrency/clock.ts";
import type { Model } from "../../../models/model.ts";
import type { ModelError } from "../../../models/model-error.ts";

/** Providers send waits of 0 too, at which a retry would only be refused again. */
const WAIT_MIN = SECOND;

/** When the models that a reply has asked may be asked again, by the `retry-after` of their last failures. */
export class RetryTimes {
  readonly #clock: Clock;
  /** Unix times in ms, by the model's value. */
  readonly #times = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ value }: Model, { isRetryable, retryAfterMs }: ModelError): void {
    if (isRetryable && retryAfterMs !== undefined) this.#times.set(value, this.#clock.now() + retryAfterMs);
    else this.#times.delete(value);
  }

  /** The wait until the first of them may be asked, in ms; undefined if no provider has asked for a wait. */
  get retryAfterMs(): number | undefined {
    if (this.#times.size === 0) return undefined;
    const wait = Math.ceil(Math.min(...this.#times.values()) - this.#clock.now());
    return Math.min(Math.max(wait, WAIT_MIN), WAIT_MAX);
  }
}
