import { BUDGET_LOW_SHARE } from "#contract/models/budgets.ts";
import type { Clock } from "../concurrency/clock.ts";
import { afterCommit } from "../database/after-commit.ts";
import { shortTransaction } from "../database/group-commit.ts";
import { toUsd } from "../database/nano-usd.ts";
import { newId } from "../database/new-id.ts";
import { repeatedTransaction } from "../database/repeated-transaction.ts";
import type { BudgetColumns, BudgetReservationRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Log } from "../log.ts";
import type { Model, Prompt } from "../models/model.ts";
import { monthOf } from "../usage/usage.ts";
import {
  bookCost,
  findTotal,
  giveBack,
  insertReservations,
  listReservedCalls,
  markWarned,
  removeReservations,
  removeTotalsBefore,
  setReservedAmount,
  takeFromBudget,
} from "./budget-store.ts";
import { countEarlierCosts } from "./earlier-costs.ts";
import { LeftReservations, type LeftReservationsDeps } from "./left-reservations.ts";
import { type Period, periodIn } from "./months.ts";
import {
  affordableTokens,
  type BudgetWarning,
  isPriced,
  leastOutputTokens,
  limitedBy,
  type Money,
  moneyFor,
  mostOutputTokens,
  mostTokensFor,
  type PlannedCall,
  type Reservation,
} from "./reservation.ts";
import { accountScopes, type BudgetScope, compareScopes, INSTALLATION, installationScope } from "./scopes.ts";

export type BudgetsDeps = LeftReservationsDeps & {
  clock: Clock;
  log: Log;
  /** Budget of the installation for a month in 1e-9 US dollars; undefined: none. */
  monthlyBudget: number | undefined;
};

/**
 * What money is reserved for. `messageId`: the reply that the calls write; null if it is not stored. `scopes`: the
 * budgets in which its calls must fit, in the order of `compareScopes`; they hold for the reply and its title, also if
 * the account changes its group meanwhile.
 */
export type Purpose = Pick<BudgetReservationRow, "purpose"> & {
  userId: string;
  messageId: string | null;
  scopes: readonly BudgetScope[];
};

/** State of the installation's budget in a month, in 1e-9 US dollars. */
type InstallationBudget = { month: string; budget: number; spent: number; reserved: number };

/** A budget in the current month. */
type MonthBudget = BudgetScope & Period;

/** Retry interval while the rest of a budget is reserved for running calls, which take seconds. */
const RETRY_AFTER_SECONDS = 1;
/** Bounds the memory for budgets that are almost used up. */
const MAX_TIGHT = 1000;
/** Months whose sums are stored. */
const MONTHS_KEPT = 13;

/** The ledger of what calls to models may cost and have cost. Calls without a budget issue no statement. */
export class Budgets {
  readonly #deps: BudgetsDeps;
  readonly left: LeftReservations;
  /** The budget of the installation, alone: of calls that belong to no account. */
  readonly installation: readonly BudgetScope[];
  /** Scopes that had not enough money for the last call that was compared with their sums. */
  readonly #tight = new Set<string>();

  constructor(deps: BudgetsDeps) {
    this.#deps = deps;
    this.left = new LeftReservations(deps);
    this.installation = installationScope(deps.monthlyBudget);
  }

  get clock(): Clock {
    return this.#deps.clock;
  }

  /** Returns the budgets of an account's calls. @param columns as read in the transaction that starts the reply */
  scopesOf(userId: string, columns: BudgetColumns): readonly BudgetScope[] {
    const own = accountScopes(userId, columns);
    return own.length === 0 ? this.installation : [...own, ...this.installation];
  }

  /**
   * Reserves money for the first call of a reply, in the transaction that starts it, after all its other statements:
   * every reservation locks the sums of its budgets.
   * @param prompt not yet fitted to the model
   * @returns undefined if the call is free or has no budget, or if the prompt is too long for a call
   * @throws Failure `budget-reached`, `budget-reserved`
   */
  async reserveFirst(
    db: Queryable,
    purpose: Purpose,
    { model, prompt }: { model: Model | undefined; prompt: Prompt },
  ): Promise<Reservation | undefined> {
    if (purpose.scopes.length === 0 || !model || !isPriced(model)) return undefined;
    const sent = mostTokensFor(prompt, model);
    return sent && this.#reserve(db, purpose, { model: limitedBy(model, prompt), sent, isFirst: true });
  }

  /**
   * Reserves the largest cost of a call in each of its budgets, with a lower limit of the answer if one has not enough
   * money for a long one. Must be called in a transaction.
   * @throws Failure `budget-reached`, `budget-reserved`
   */
  async #reserve(
    db: Queryable,
    { userId: user_id, messageId: message_id, purpose, scopes }: Purpose,
    { isFirst = false, onId, ...call }: PlannedCall & { isFirst?: boolean; onId?: (id: string) => void },
  ): Promise<Reservation> {
    const at = this.#deps.clock.now();
    const budgets = scopes.map((scope): MonthBudget => ({ ...scope, ...periodIn(scope.timeZone, at) }));
    const id = newId();
    onId?.(id);
    const tight = budgets.filter(({ scope }) => this.#tight.has(scope));
    // Near a cap its sums are read first, without a lock: refused calls do not wait for each other.
    const money = tight.length > 0 ? await this.#afford(db, tight, call) : moneyFor(call, mostOutputTokens(call.model));
    const row = { id, user_id, message_id, purpose, amount: money.amount, at, owner: this.#deps.processId };
    await insertReservations(
      db,
      budgets.map(({ scope, month }) => ({ ...row, scope, month })),
    );
    const { warnings, ...taken } = await this.#takeFromAll(db, budgets, { id, call, money });
    return {
      id,
      at,
      model: call.model.value,
      ...taken,
      warnings: isFirst ? await this.#noteWarnings(db, warnings) : [],
    };
  }

  /** Adds the amount to the sums of all budgets, which locks them: it is the last step, because other calls wait. */
  async #takeFromAll(
    db: Queryable,
    budgets: readonly MonthBudget[],
    { id, call, money: planned }: { id: string; call: PlannedCall; money: Money },
  ): Promise<Money & { warnings: MonthWarning[] }> {
    let money = planned;
    const warnings: MonthWarning[] = [];
    for (const [nth, budget] of budgets.entries()) {
      let total = await this.#take(db, budget, money.amount);
      while (!total) {
        // The refused statement has locked the sums, so that they do not change before the next one.
        const lower = await this.#afford(db, [budget], call);
        await setReservedAmount(db, id, lower.amount);
        for (const before of budgets.slice(0, nth)) {
          await giveBack(db, { ...before, amount: money.amount - lower.amount });
        }
        money = lower;
        total = await this.#take(db, budget, money.amount);
      }
      if (total.warned === 0 && isLow(total.spent, budget.limit)) {
        warnings.push({ ...budget, percent: percentOf(total.spent, budget.limit) });
      }
    }
    return { ...money, warnings };
  }

  /**
   * Like {@link takeFromBudget}. Counts the calls since the beginning of the month, unless the sum says that they are:
   * the budget or the time zone of its month may have been set later.
   */
  async #take(db: Queryable, budget: MonthBudget, amount: number) {
    const total = await takeFromBudget(db, { ...budget, amount });
    if (!total || total.begins_at === budget.beginsAt) return total;
    const spent = await countEarlierCosts(db, budget.scope, budget);
    if (spent + total.reserved <= budget.limit) return { ...total, spent };
    await giveBack(db, { ...budget, amount });
    return undefined;
  }

  /** Marks warnings of the month as given. Those of the installation are for its log, not for accounts. */
  async #noteWarnings(db: Queryable, warnings: readonly MonthWarning[]): Promise<BudgetWarning[]> {
    const given: BudgetWarning[] = [];
    for (const { kind, scope, month, percent } of warnings) {
      if (kind === "installation") continue;
      if (await markWarned(db, { scope, month })) given.push({ kind, percent });
    }
    return given;
  }

  /**
   * Returns what the tightest of several budgets leaves for a call.
   * @throws Failure `budget-reserved` if only running calls leave too little; `budget-reached`
   */
  async #afford(db: Queryable, budgets: readonly MonthBudget[], call: PlannedCall): Promise<Money> {
    const { model, sent } = call;
    let outputTokens = mostOutputTokens(model);
    for (const { scope, month, limit, kind, endsAt } of budgets) {
      const { spent, reserved } = (await findTotal(db, { scope, month })) ?? { spent: 0, reserved: 0 };
      const affordable = affordableTokens(model, sent, limit - spent - reserved);
      this.#noteTight(scope, affordable < mostOutputTokens(model));
      if (affordable < leastOutputTokens(model)) {
        const isPassing = affordableTokens(model, sent, limit - spent) >= leastOutputTokens(model);
        if (isPassing) throw new Failure("budget-reserved", { retryAfterSeconds: RETRY_AFTER_SECONDS });
        const amount = kind === "account" ? { limit: toUsd(limit) } : {};
        throw new Failure("budget-reached", { budget: { scope: kind, ...amount, until: endsAt } });
      }
      outputTokens = Math.min(outputTokens, affordable);
    }
    return moneyFor(call, outputTokens);
  }

  #noteTight(scope: string, isTight: boolean): void {
    this.#tight.delete(scope);
    if (!isTight) return;
    this.#tight.add(scope);
    const [oldest] = this.#tight;
    if (this.#tight.size > MAX_TIGHT && oldest !== undefined) this.#tight.delete(oldest);
  }

  /**
   * Replaces reservations by costs, in the transaction that counts the calls, after its other statements. Does nothing
   * with those that were settled before. Settles by the rows that exist: a budget that was introduced or removed during
   * the call does not matter.
   * @param costs in 1e-9 US dollars, by the reservations' ids
   */
  async settle(db: Queryable, costs: ReadonlyMap<string, number>): Promise<void> {
    const settled: Settled[] = [];
    for (const [id, cost] of costs) {
      for (const row of await removeReservations(db, id)) settled.push({ row, cost });
    }
    await this.#book(db, settled);
  }

  /** Returns what is reserved for the calls of a reply; Infinity if nothing is, because they have no budget. */
  async reservedFor(db: Queryable, messageId: string): Promise<number> {
    const calls = await listReservedCalls(db, messageId);
    return calls.length === 0 ? Number.POSITIVE_INFINITY : calls.reduce((sum, { amount }) => sum + amount, 0);
  }

  /**
   * Settles what is reserved for a reply whose process has died.
   * @param cost the most that the calls can have cost by their stored text
   */
  async settleReply(db: Queryable, messageId: string, cost: number): Promise<void> {
    let left = cost;
    const costs = new Map<string, number>();
    for (const { id, amount } of await listReservedCalls(db, messageId)) {
      const booked = Math.min(left, amount);
      left -= booked;
      costs.set(id, booked);
    }
    await this.settle(db, costs);
  }

  /** All reservations are removed before the first sum is locked: another order could cause a deadlock. */
  async #book(db: Queryable, settled: readonly Settled[]): Promise<void> {
    const inOrder = settled.toSorted(
      ({ row: a }, { row: b }) => compareScopes(a.scope, b.scope) || compareScopes(a.month, b.month),
    );
    for (const { row, cost } of inOrder) {
      const { scope, month, amount } = row;
      const total = await bookCost(db, { scope, month, cost, amount });
      const budget = this.#deps.monthlyBudget;
      if (scope === INSTALLATION && budget !== undefined && total?.warned === 0)
        await this.#warn(db, { ...total, budget });
    }
  }

  async #warn(db: Queryable, { month, spent, budget }: InstallationBudget): Promise<void> {
    if (!isLow(spent, budget) || !(await markWarned(db, { scope: INSTALLATION, month }))) return;
    const percent = percentOf(spent, budget);
    afterCommit(db, () => this.#deps.log.warn({ month, spent, budget, percent }, "most of the budget is spent"));
  }

  /**
   * Settles earlier calls and reserves money for a further one, in two transactions. In one, settling could lock the
   * installation's sums before reserving locks the account's, which can deadlock.
   * @param hooks `onId`: called with the id of the reservation before its transaction ends, also if that then fails: the
   * transaction may have been committed
   * @throws Failure `budget-reached`, `budget-reserved`
   */
  async exchange(
    purpose: Purpose,
    call: PlannedCall,
    { settle, onBegin, onId }: { settle: Work | undefined; onBegin: Work | undefined; onId?: (id: string) => void },
  ): Promise<Reservation> {
    const { database } = this.#deps;
    if (settle) await repeatedTransaction(database, settle);
    return shortTransaction(database, async (db) => {
      await onBegin?.(db);
      return this.#reserve(db, purpose, { ...call, ...(onId && { onId }) });
    });
  }

  /** Runs what precedes a call without a reservation, which does not depend on it. */
  async noteBegin(onBegin: Work): Promise<void> {
    const { database, log } = this.#deps;
    await shortTransaction(database, onBegin).catch((error: unknown) => log.warn({ err: error }, "call was not noted"));
  }

  /** Returns the state of the installation's month, by default the current one; undefined without a budget. */
  async budgetOf(month = monthOf(this.#deps.clock.now())): Promise<InstallationBudget | undefined> {
    const { database, monthlyBudget: budget } = this.#deps;
    if (budget === undefined) return undefined;
    const { spent, reserved } = (await findTotal(database, { scope: INSTALLATION, month })) ?? {
      spent: 0,
      reserved: 0,
    };
    return { month, budget, spent, reserved };
  }

  /**
   * Books what this process had reserved before it was restarted. Must be called before it reserves anything, and after
   * its replies were interrupted.
   */
  async bookLeft(): Promise<void> {
    await this.left.bookAtStart((db, costs) => this.settle(db, costs));
  }

  /** Books reservations that nobody will settle, whole, and forgets old months. @param now Unix time in ms */
  async sweep(now: number): Promise<void> {
    await this.left.sweep(now, (db, costs) => this.settle(db, costs));
    const date = new Date(now);
    await removeTotalsBefore(
      this.#deps.database,
      monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS_KEPT)),
    );
  }
}

type MonthWarning = MonthBudget & Pick<BudgetWarning, "percent">;

const isLow = (spent: number, limit: number) => spent >= limit * BUDGET_LOW_SHARE;
const percentOf = (spent: number, limit: number) => Math.floor((100 * spent) / limit);

/** Statements of a transaction. */
type Work = (db: Queryable) => Promise<void>;

type Settled = { row: BudgetReservationRow; cost: number };
