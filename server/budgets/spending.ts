import type { Queryable } from "../database/schema.ts";
import { type Model, type Prompt, withStream } from "../models/model.ts";
import { mostPromptTokens } from "../models/most-tokens.ts";
import { type CallCount, counted } from "../usage/call-count.ts";
import type { Budgets, Purpose } from "./budgets.ts";
import {
  affordableTokens,
  type BudgetWarning,
  isPriced,
  leastOutputTokens,
  type PricedModel,
  type Reservation,
} from "./reservation.ts";

/** The money of one reply or title: at most one call at a time has a reservation. */
export class Spending {
  readonly #budgets: Budgets;
  readonly #purpose: Purpose;
  /** Costs of unsettled reservations, by their ids. A call that has not ended has cost nothing. */
  readonly #costs = new Map<string, number>();
  /** Reserved before the first call. */
  #first: Reservation | undefined;

  /** Budgets of which most is spent: the reply has a notice. */
  readonly warnings: readonly BudgetWarning[];

  constructor(budgets: Budgets, purpose: Purpose, first?: Reservation) {
    this.#budgets = budgets;
    this.#purpose = purpose;
    this.#first = first;
    this.warnings = first?.warnings ?? [];
    if (first) this.#costs.set(first.id, 0);
  }

  /**
   * Reserves money for the first call of a reply, see {@link Budgets.reserveFirst}.
   * @throws Failure `budget-reached`
   */
  static async begin(
    db: Queryable,
    budgets: Budgets,
    purpose: Purpose,
    call: { model: Model | undefined; prompt: Prompt },
  ): Promise<Spending> {
    return new Spending(budgets, purpose, await budgets.reserveFirst(db, purpose, call));
  }

  /** Returns the money of the title that follows the reply, from the same budgets. */
  ofTitle(): Spending {
    return new Spending(this.#budgets, { ...this.#purpose, purpose: "title", messageId: null });
  }

  /**
   * Wraps a model like {@link counted}. Before each call money is reserved, and the answer is limited to what it is
   * enough for. Calls may throw Failure `budget-reached`.
   */
  counted(model: Model, onCount: (count: CallCount) => void): Model {
    if (this.#purpose.scopes.length === 0 || !isPriced(model)) return counted(model, onCount);
    return withStream(model, async (prompt, sink, signal) => {
      const reservation = await this.#reserve(model, prompt);
      signal.throwIfAborted();
      const note = (count: CallCount) => {
        this.#costs.set(reservation.id, bookedCost(count, reservation));
        onCount(count);
      };
      return counted(model, note).stream({ ...prompt, maxOutputTokens: reservation.outputTokens }, sink, signal);
    });
  }

  async #reserve(model: PricedModel, prompt: Prompt): Promise<Reservation> {
    const sent = mostPromptTokens(prompt);
    const first = this.#first;
    this.#first = undefined;
    if (first?.model === model.value) {
      // The prompt as it is sent may be a little longer than it was estimated.
      const outputTokens = Math.min(first.outputTokens, affordableTokens(model, sent, first.amount));
      if (outputTokens >= leastOutputTokens(model)) return { ...first, outputTokens };
    }
    const reservation = await this.#budgets.exchange(this.#costs, this.#purpose, { model, sent });
    this.#costs.clear();
    this.#costs.set(reservation.id, 0);
    return reservation;
  }

  /** Settles all reservations in the transaction that counts the calls; may be repeated. */
  async settle(db: Queryable): Promise<void> {
    if (this.#costs.size > 0) await this.#budgets.settle(db, this.#costs);
  }
}

/** An estimate may exceed the reservation, which is the most that the provider can charge. */
function bookedCost({ costNanoUsd, isEstimate }: CallCount, { amount }: Reservation): number {
  const cost = costNanoUsd ?? 0;
  return isEstimate ? Math.min(cost, amount) : cost;
}
