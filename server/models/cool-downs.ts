import { MINUTE, SECOND } from "#contract/limits.ts";
import type { Now } from "./local-models.ts";
import { type Model, type ProviderName, withStream, withText } from "./model.ts";
import { ModelError } from "./model-error.ts";

const COOL_DOWN_MS = 30 * SECOND;
const MAX_COOL_DOWN_MS = 5 * MINUTE;

/** Circuit breaker: a provider or a single model that failed before the first word is skipped for a while. */
export class CoolDowns {
  readonly #now: Now;
  readonly #until = new Map<ProviderName | Model["value"], number>();

  constructor(now: Now) {
    this.#now = now;
  }

  isCooling(model: Model): boolean {
    return this.isAbsent(model) || this.#lasts(model.provider);
  }

  /** Whether the provider refused the model itself a while ago. */
  isAbsent({ value }: Model): boolean {
    return this.#lasts(value);
  }

  #lasts(key: ProviderName | Model["value"]): boolean {
    return (this.#until.get(key) ?? 0) > this.#now();
  }

  /** Wraps a model to record its failures and successes. */
  watch(model: Model): Model {
    return withStream(model, async (prompt, sink, signal) => {
      let hasText = false;
      const onText = (text: string) => {
        if (!hasText) {
          hasText = true;
          this.#until.delete(model.provider);
          this.#until.delete(model.value);
        }
        sink.onText(text);
      };
      try {
        return await model.stream(prompt, withText(sink, onText), signal);
      } catch (error) {
        // A timeout of the caller counts if it aborts with a ModelError.
        if (!hasText && error instanceof ModelError) this.#begin(model, error);
        throw error;
      }
    });
  }

  #begin({ provider, value }: Model, { trouble, retryAfterMs = 0 }: ModelError): void {
    if (trouble === "prompt") return;
    const ms = Math.min(Math.max(COOL_DOWN_MS, retryAfterMs), MAX_COOL_DOWN_MS);
    this.#until.set(trouble === "model" ? value : provider, this.#now() + ms);
  }
}
