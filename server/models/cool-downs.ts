import { MINUTE, SECOND } from "#contract/limits.ts";
import type { Now } from "./connections/discovered-models.ts";
import { type Model, withStream, withText } from "./model.ts";
import { type AssistantErrorCode, ModelError } from "./model-error.ts";

const COOL_DOWN_MS = 30 * SECOND;
const MAX_COOL_DOWN_MS = 5 * MINUTE;

/** What this process has seen of a connection since it started. Unix times in ms; absent if there was none. */
export type ConnectionHealth = {
  /** Id of the connection. */
  id: string;
  /** End of the time in which automatic choice skips the connection. */
  coolsUntil?: number;
  /** Refused prompts are not counted: they do not come from the provider. */
  lastError?: { code: AssistantErrorCode; at: number };
  lastSuccessAt?: number;
};

/** `isPaid`: its calls may cost money. */
export type NamedHealth = ConnectionHealth & { name: string; isPaid: boolean };

/** Circuit breaker: a connection or a single model that failed before the first word is skipped for a while. */
export class CoolDowns {
  readonly #now: Now;
  readonly #until = new Map<Model["connectionId"] | Model["value"], number>();
  readonly #lastErrors = new Map<Model["connectionId"], NonNullable<ConnectionHealth["lastError"]>>();
  readonly #lastSuccesses = new Map<Model["connectionId"], number>();

  constructor(now: Now) {
    this.#now = now;
  }

  isCooling(model: Model): boolean {
    return this.isAbsent(model) || this.#lasts(model.connectionId);
  }

  /** Whether the provider refused the model itself a while ago. */
  isAbsent({ value }: Model): boolean {
    return this.#lasts(value);
  }

  #lasts(key: string): boolean {
    return (this.#until.get(key) ?? 0) > this.#now();
  }

  health(id: string): ConnectionHealth {
    const coolsUntil = this.#until.get(id) ?? 0;
    const lastError = this.#lastErrors.get(id);
    const lastSuccessAt = this.#lastSuccesses.get(id);
    return {
      id,
      ...(coolsUntil > this.#now() && { coolsUntil }),
      ...(lastError && { lastError }),
      ...(lastSuccessAt !== undefined && { lastSuccessAt }),
    };
  }

  /** Wraps a model to record its failures and successes. */
  watch(model: Model): Model {
    return withStream(model, async (prompt, sink, signal) => {
      let hasText = false;
      const onText = (text: string) => {
        if (!hasText) {
          hasText = true;
          this.#until.delete(model.connectionId);
          this.#until.delete(model.value);
        }
        sink.onText(text);
      };
      try {
        const end = await model.stream(prompt, withText(sink, onText), signal);
        this.#lastSuccesses.set(model.connectionId, this.#now());
        return end;
      } catch (error) {
        if (error instanceof ModelError) this.#remember(model, error);
        // A timeout of the caller counts if it aborts with a ModelError.
        if (!hasText && error instanceof ModelError) this.#begin(model, error);
        throw error;
      }
    });
  }

  #remember({ connectionId }: Model, { trouble, code }: ModelError): void {
    if (trouble !== "prompt") this.#lastErrors.set(connectionId, { code, at: this.#now() });
  }

  #begin({ connectionId, value }: Model, { trouble, retryAfterMs = 0 }: ModelError): void {
    if (trouble === "prompt") return;
    const ms = Math.min(Math.max(COOL_DOWN_MS, retryAfterMs), MAX_COOL_DOWN_MS);
    this.#until.set(trouble === "model" ? value : connectionId, this.#now() + ms);
  }
}
