import { MINUTE } from "#contract/limits.ts";
import { shortTransaction } from "../database/group-commit.ts";
import type { Database, Queryable } from "../database/schema.ts";
import { type LeftReservation, listOwnersOfReservations, listReservations } from "./budget-store.ts";

/** Holds reservations of running calls. */
export type ReservationHolder = { holds(id: string): boolean };

/** Judges which processes have died. */
export type DeathJudge = {
  /** Returns the processes that have certainly died; none as long as that is doubtful. */
  listDead(owners: readonly string[]): Promise<string[]>;
};

export type LeftReservationsDeps = {
  database: Database;
  processId: string;
  isShared: boolean;
  deathJudge: DeathJudge;
};

/** Age, since a sweep has found it first, at which a reservation without a holder is booked. */
const PATIENCE_MS = 5 * MINUTE;

/** Reservations that nobody will settle, and the register of those that somebody will. */
export class LeftReservations {
  readonly #deps: LeftReservationsDeps;
  /** Running replies, titles and tests of this process that have reserved money. */
  readonly #holders = new Set<ReservationHolder>();
  /** Times at which a sweep found reservations without a holder first, by their ids. Unix time in ms. */
  #found = new Map<string, number>();

  constructor(deps: LeftReservationsDeps) {
    this.#deps = deps;
  }

  /** Registers what settles its reservations, once they are committed. */
  register(holder: ReservationHolder): void {
    this.#holders.add(holder);
  }

  /** Removes what has settled all its reservations. */
  unregister(holder: ReservationHolder): void {
    this.#holders.delete(holder);
  }

  /** Books what this process had reserved before it was restarted. */
  async bookAtStart(settle: Settle): Promise<void> {
    await this.#bookWhole(await this.#listOwn(), settle);
  }

  /**
   * Books reservations that no running call holds and those of dead processes, if an earlier sweep has found them too.
   * @param now Unix time in ms
   */
  async sweep(now: number, settle: Settle): Promise<void> {
    const own = (await this.#listOwn()).filter(({ id }) => !this.#isHeld(id));
    const left = [...own, ...(await this.#listOfDead())];
    const before = this.#found;
    this.#found = new Map(left.map(({ id }) => [id, before.get(id) ?? now]));
    const isOld = ({ id }: LeftReservation) => now - (this.#found.get(id) ?? now) >= PATIENCE_MS;
    await this.#bookWhole(left.filter(isOld), settle);
  }

  #isHeld(id: string): boolean {
    return [...this.#holders].some((holder) => holder.holds(id));
  }

  async #listOwn(): Promise<LeftReservation[]> {
    const { database, processId, isShared } = this.#deps;
    return listReservations(database, isShared ? [processId] : undefined);
  }

  async #listOfDead(): Promise<LeftReservation[]> {
    const { database, processId, isShared, deathJudge } = this.#deps;
    if (!isShared) return [];
    const owners = await listOwnersOfReservations(database);
    const dead = await deathJudge.listDead(owners.filter((owner) => owner !== processId));
    return dead.length === 0 ? [] : listReservations(database, dead);
  }

  async #bookWhole(reservations: readonly LeftReservation[], settle: Settle): Promise<void> {
    for (const { id, amount } of reservations) {
      await shortTransaction(this.#deps.database, (db) => settle(db, new Map([[id, amount]])));
    }
  }
}

/** Settles reservations by their costs, by the reservations' ids. */
type Settle = (db: Queryable, costs: ReadonlyMap<string, number>) => Promise<void>;
