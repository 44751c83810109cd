import type { Clock } from "../concurrency/clock.ts";
import { afterCommit } from "../database/after-commit.ts";
import { shortTransaction } from "../database/group-commit.ts";
import { newId } from "../database/new-id.ts";
import type { BudgetReservationRow, Database, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Log } from "../log.ts";
import { tokensForModel } from "../models/attachments/prompt-files.ts";
import type { Model, Prompt } from "../models/model.ts";
import { ModelError } from "../models/model-error.ts";
import type { Price } from "../models/prices.ts";
import type { CallCount } from "../usage/call-count.ts";
import { costOf } from "../usage/token-cost.ts";
import { monthOf } from "../usage/usage.ts";
import {
  bookCost,
  findTotal,
  insertReservation,
  listOrphanedReservations,
  listReservations,
  markWarned,
  removeReservation,
  removeReservationsOf,
  setReservedAmount,
  takeFromBudget,
} from "./budget-store.ts";
import {
  affordableTokens,
  isPriced,
  largestCost,
  leastOutputTokens,
  mostOutputTokens,
  type PricedModel,
  type Reservation,
} from "./reservation.ts";

export type BudgetsDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  /** As in `processes`. */
  processId: string;
  /** Whether several processes may share the database. */
  isShared: boolean;
  /** Budget of a month in 1e-9 US dollars; undefined: none. */
  monthlyBudget: number | undefined;
};

/** What money is reserved for. `messageId`: the reply that the calls write; null if it is not stored. */
export type Purpose = Pick<BudgetReservationRow, "purpose"> & { userId: string; messageId: string | null };

/** A call with a prompt of about `inputTokens`. */
export type PlannedCall = { model: PricedModel; inputTokens: number };

/** State of a budget in a month, in 1e-9 US dollars. */
export type BudgetState = { month: string; budget: number; spent: number; reserved: number };

const SCOPE = "installation";
/** Share of the budget after which the log has a warning. */
const WARNING_SHARE = 0.8;
/** Most tokens that a provider sends between two checkpoints of a reply (250 ms). */
const UNSTORED_TOKENS = 256;

/** The ledger of what calls to models may cost and have cost. Without a budget its methods do nothing. */
export class Budgets {
  readonly #deps: BudgetsDeps;
  /** Whether there was not enough money for the last call that was compared with the sums. */
  #isTight = false;

  constructor(deps: BudgetsDeps) {
    this.#deps = deps;
  }

  get isOn(): boolean {
    return this.#deps.monthlyBudget !== undefined;
  }

  /**
   * Reserves money for the first call of a reply, in the transaction that starts it, after all its other statements:
   * every reservation locks the same row.
   * @param prompt not yet fitted to the model
   * @returns undefined if the call is free, or if the prompt is too long for a call
   * @throws Failure `budget-reached`
   */
  async reserveFirst(
    db: Queryable,
    purpose: Purpose,
    { model, prompt }: { model: Model | undefined; prompt: Prompt },
  ): Promise<Reservation | undefined> {
    if (!this.isOn || !model || !isPriced(model)) return undefined;
    const inputTokens = tokensOrNone(prompt, model);
    return inputTokens === undefined ? undefined : this.reserve(db, purpose, { model, inputTokens });
  }

  /**
   * Reserves the largest cost of a call, with a lower limit of the answer if there is not enough money for a long one.
   * Must be called in a transaction.
   * @returns undefined without a budget
   * @throws Failure `budget-reached`
   */
  async reserve(db: Queryable, purpose: Purpose, call: PlannedCall): Promise<Reservation | undefined> {
    const { clock, processId, monthlyBudget: limit } = this.#deps;
    if (limit === undefined) return undefined;
    const { model } = call;
    const at = clock.now();
    const total = { scope: SCOPE, month: monthOf(at) };
    const { userId: user_id, messageId: message_id, purpose: kind } = purpose;
    const id = newId();
    // Near the cap the sums are read first, without a lock: refused calls do not wait for each other.
    let money = this.#isTight ? await this.#afford(db, { ...total, limit }, call) : most(call);
    const row = { id, ...total, user_id, message_id, purpose: kind, amount: money.amount, at, owner: processId };
    await insertReservation(db, row);
    // Last, because it locks the sums, for which other calls wait.
    if (!(await takeFromBudget(db, { ...total, amount: money.amount, limit }))) {
      // The refused statement has locked the sums, so that they do not change before the next one.
      money = await this.#afford(db, { ...total, limit }, call);
      await setReservedAmount(db, id, money.amount);
      if (!(await takeFromBudget(db, { ...total, amount: money.amount, limit }))) throw new Failure("budget-reached");
    }
    return { id, model: model.value, ...money };
  }

  /** Returns what is left for a call. @throws Failure `budget-reached` */
  async #afford(
    db: Queryable,
    { limit, ...total }: { scope: string; month: string; limit: number },
    { model, inputTokens }: PlannedCall,
  ): Promise<Pick<Reservation, "amount" | "outputTokens">> {
    const { spent, reserved } = (await findTotal(db, total)) ?? { spent: 0, reserved: 0 };
    const outputTokens = affordableTokens(model, inputTokens, limit - spent - reserved);
    this.#isTight = outputTokens < mostOutputTokens(model);
    if (outputTokens < leastOutputTokens(model)) throw new Failure("budget-reached");
    return { outputTokens, amount: largestCost(model, inputTokens, outputTokens) };
  }

  /**
   * Replaces reservations by costs, in the transaction that counts the calls, after its other statements. Does nothing
   * with those that were settled before.
   * @param costs in 1e-9 US dollars, by the reservations' ids
   */
  async settle(db: Queryable, costs: ReadonlyMap<string, number>): Promise<void> {
    const settled: Settled[] = [];
    for (const [id, cost] of costs) {
      for (const row of await removeReservation(db, id)) settled.push({ row, cost });
    }
    await this.#book(db, settled);
  }

  /**
   * Settles what is reserved for a reply whose process has died.
   * @param count estimated by the stored text, to which words are added that may have been lost
   */
  async settleReply(db: Queryable, messageId: string, count: CallCount, price: Price | undefined): Promise<void> {
    if (!this.isOn) return;
    const rows = await removeReservationsOf(db, messageId);
    let left = costOf({ ...count, outputTokens: count.outputTokens + UNSTORED_TOKENS }, price) ?? 0;
    const settled = rows.map((row): Settled => {
      const booked = Math.min(left, row.amount);
      left -= booked;
      return { row, cost: booked };
    });
    await this.#book(db, settled);
  }

  /** All reservations are removed before the first sum is locked: another order could cause a deadlock. */
  async #book(db: Queryable, settled: readonly Settled[]): Promise<void> {
    for (const { row, cost } of settled) {
      const { scope, month, amount } = row;
      const total = await bookCost(db, { scope, month, cost, amount });
      if (total?.warned === 0) await this.#warn(db, { ...total, budget: this.#deps.monthlyBudget ?? 0 });
    }
  }

  async #warn(db: Queryable, { scope, month, spent, budget }: BudgetState & { scope: string }): Promise<void> {
    if (spent < budget * WARNING_SHARE || !(await markWarned(db, { scope, month }))) return;
    const percent = Math.floor((100 * spent) / budget);
    afterCommit(db, () => this.#deps.log.warn({ month, spent, budget, percent }, "most of the budget is spent"));
  }

  /** Reserves money for a further call, and settles those before it. @throws Failure `budget-reached` */
  async exchange(
    costs: ReadonlyMap<string, number>,
    purpose: Purpose,
    call: PlannedCall,
  ): Promise<Reservation | undefined> {
    return shortTransaction(this.#deps.database, async (db) => {
      await this.settle(db, costs);
      return this.reserve(db, purpose, call);
    });
  }

  /** Returns the state of a month, e.g. `2026-11`, by default the current one; undefined without a budget. */
  async budgetOf(month = monthOf(this.#deps.clock.now())): Promise<BudgetState | undefined> {
    const { database, monthlyBudget: budget } = this.#deps;
    if (budget === undefined) return undefined;
    const { spent, reserved } = (await findTotal(database, { scope: SCOPE, month })) ?? { spent: 0, reserved: 0 };
    return { month, budget, spent, reserved };
  }

  /**
   * Books what this process had reserved before it was restarted. Must be called before it reserves anything, and after
   * its replies were interrupted.
   */
  async bookLeft(): Promise<void> {
    const { database, processId, isShared } = this.#deps;
    if (this.isOn) await this.#bookWhole(await listReservations(database, isShared ? processId : undefined));
  }

  /** Books what other processes had reserved that have died. Titles and temporary replies store no text to estimate. */
  async bookOrphaned(): Promise<void> {
    const { database, processId, isShared } = this.#deps;
    if (this.isOn && isShared) await this.#bookWhole(await listOrphanedReservations(database, processId));
  }

  async #bookWhole(reservations: readonly Pick<BudgetReservationRow, "id" | "amount">[]): Promise<void> {
    for (const { id, amount } of reservations) {
      await shortTransaction(this.#deps.database, (db) => this.settle(db, new Map([[id, amount]])));
    }
  }
}

/** Returns the money for the longest answer. */
function most({ model, inputTokens }: PlannedCall): Pick<Reservation, "amount" | "outputTokens"> {
  const outputTokens = mostOutputTokens(model);
  return { outputTokens, amount: largestCost(model, inputTokens, outputTokens) };
}

type Settled = { row: BudgetReservationRow; cost: number };

/** Estimates the tokens of a prompt for a model; undefined if its last turn does not fit. */
function tokensOrNone(prompt: Prompt, model: Model): number | undefined {
  try {
    return tokensForModel(prompt, model);
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}
