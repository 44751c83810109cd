import { pauseIfLong } from "../concurrency/pause-if-long.ts";
import { afterCommit } from "../database/after-commit.ts";
import { newId } from "../database/new-id.ts";
import type { Queryable } from "../database/schema.ts";
import { type Model, type Prompt, withStream } from "../models/model.ts";
import { type MostTokens, mostPromptTokens } from "../models/most-tokens.ts";
import { partCount } from "../models/prompt-message.ts";
import { type CallCount, counted } from "../usage/call-count.ts";
import { type CountedCall, countCalls } from "../usage/usage-store.ts";
import type { Budgets, Purpose } from "./budgets.ts";
import type { ReservationHolder } from "./left-reservations.ts";
import {
  affordableTokens,
  type BudgetWarning,
  isPriced,
  leastOutputTokens,
  limitedBy,
  type PricedModel,
  type Reservation,
} from "./reservation.ts";

/** `onCount`: called at the end of each call. `onBegin`: called in the transaction before each call. */
export type CallHooks = {
  onCount?: ((count: CallCount) => void) | undefined;
  onBegin?: ((db: Queryable) => Promise<void>) | undefined;
};

/**
 * The calls of one reply, title or test, and their money: at most one call at a time has a reservation. `Settlements`
 * stores them at the end.
 */
export class Spending implements ReservationHolder {
  readonly #budgets: Budgets;
  readonly #purpose: Purpose;
  /** Ended calls that are not counted yet. */
  readonly #calls: CountedCall[] = [];
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
    const spending = new Spending(budgets, purpose, await budgets.reserveFirst(db, purpose, call));
    // If the confirmation of the commit is lost, nobody settles the reservation, and a sweep books it.
    if (!spending.isSettled) afterCommit(db, () => budgets.left.register(spending));
    return spending;
  }

  /** Returns the money of the title that follows the reply, from the same budgets. */
  ofTitle(): Spending {
    return new Spending(this.#budgets, { ...this.#purpose, purpose: "title", messageId: null });
  }

  /** Whether there is nothing to count or to settle. */
  get isSettled(): boolean {
    return this.#calls.length === 0 && this.#costs.size === 0;
  }

  holds(id: string): boolean {
    return this.#costs.has(id);
  }

  /**
   * Wraps a model, so that its calls are counted. Before each call money is reserved, and the answer is limited to what
   * it is enough for. Calls may throw Failure `budget-reached` or `budget-reserved`.
   */
  counted(model: Model, { onCount = () => undefined, onBegin }: CallHooks = {}): Model {
    const note = (count: CallCount) => {
      const { purpose, messageId } = this.#purpose;
      const at = this.#budgets.clock.now();
      this.#calls.push({ ...count, id: newId(), purpose, ...(messageId !== null && { messageId }), at });
      onCount(count);
    };
    if (this.#purpose.scopes.length === 0 || !isPriced(model)) {
      return withStream(model, async (prompt, sink, signal) => {
        if (onBegin) await this.#budgets.noteBegin(onBegin);
        const begunAt = this.#budgets.clock.now();
        return counted(model, (count) => note({ ...count, begunAt })).stream(prompt, sink, signal);
      });
    }
    return withStream(model, async (prompt, sink, signal) => {
      await pauseIfLong(partCount(prompt));
      const reservation = await this.#reserve(limitedBy(model, prompt), mostPromptTokens(prompt), onBegin);
      await pauseIfLong(partCount(prompt));
      signal.throwIfAborted();
      const noteCost = (count: CallCount) => {
        this.#costs.set(reservation.id, bookedCost(count, reservation));
        note({ ...count, begunAt: reservation.at, budgets: this.#purpose.scopes.map(({ scope }) => scope) });
      };
      return counted(model, noteCost).stream({ ...prompt, maxOutputTokens: reservation.outputTokens }, sink, signal);
    });
  }

  async #reserve(model: PricedModel, sent: MostTokens, onBegin: CallHooks["onBegin"]): Promise<Reservation> {
    const first = this.#first;
    this.#first = undefined;
    if (first?.model === model.value) {
      // The prompt as it is sent may be a little longer than it was estimated.
      const outputTokens = Math.min(first.outputTokens, affordableTokens(model, sent, first.amount));
      if (outputTokens >= leastOutputTokens(model)) {
        if (onBegin) await this.#budgets.noteBegin(onBegin);
        return { ...first, outputTokens };
      }
    }
    // Ended calls of a stored reply were settled by its journal, or are settled at its end if that has failed.
    const isLater = this.isSettled || (onBegin !== undefined && this.#calls.length > 0);
    const settle = isLater ? undefined : (db: Queryable) => this.settle(db);
    const onId = (id: string) => {
      this.#costs.set(id, 0);
      this.#budgets.left.register(this);
    };
    return this.#budgets.exchange(this.#purpose, { model, sent }, { settle, onBegin, onId });
  }

  /**
   * Counts all calls that have ended, and settles all reservations, as the last statements of a transaction. Has no
   * effect if it is repeated.
   * @param isCounted false if another process has counted the calls
   */
  async settle(db: Queryable, { isCounted = true } = {}): Promise<void> {
    const calls = [...this.#calls];
    const costs = new Map(this.#costs);
    if (isCounted) await countCalls(db, this.#purpose.userId, calls);
    if (costs.size > 0) await this.#budgets.settle(db, costs);
    afterCommit(db, () => this.#forget(calls, costs));
  }

  #forget(calls: readonly CountedCall[], costs: ReadonlyMap<string, number>): void {
    this.#calls.splice(0, this.#calls.length, ...this.#calls.filter((call) => !calls.includes(call)));
    for (const id of costs.keys()) this.#costs.delete(id);
    if (this.#costs.size === 0) this.#budgets.left.unregister(this);
  }
}

/** An estimate may exceed the reservation, which is the most that the provider can charge. */
function bookedCost({ costNanoUsd, isEstimate }: CallCount, { amount }: Reservation): number {
  const cost = costNanoUsd ?? 0;
  return isEstimate ? Math.min(cost, amount) : cost;
}
