import { createHmac } from "node:crypto";
import type { Clock } from "../../concurrency/clock.ts";
import type { Database, Queryable, UserRow } from "../../database/schema.ts";
import type { GuessPurpose } from "../../database/tables/sign-in-tables.ts";
import { isForeignKeyViolation } from "../../database/violations.ts";
import type { Client } from "../../http/client.ts";
import { usernameKeyOf } from "../account-keys.ts";
import { knowsDevice } from "./device-store.ts";
import {
  clearThrottle,
  findWait,
  forgetGuesses,
  giveGuessBack,
  noteWrongGuess,
  reserveGuess,
} from "./throttle-store.ts";

export type ThrottlesDeps = { database: Database; clock: Clock; key: Uint8Array };

/** The account whose password is guessed, or a name without an account. */
export type Guessed = { user: UserRow | undefined; name: string; purpose?: GuessPurpose };

/** Client and target of a guess. */
export type Guesser = {
  /** Keyed hash: no name is stored. */
  key: string;
  /** Identifies the account, or the name without one, independent of the device. */
  subject: string;
  userId: string | null;
  purpose: GuessPurpose;
  /** The account has signed in before in this browser. */
  isKnown: boolean;
};

/**
 * Throttles guesses of passwords: after ten consecutive wrong ones waits of 1, 2, 4 … 900 s, after a hundred no
 * password is checked. A browser in which the account has signed in before has its own counter, so that an attacker
 * elsewhere cannot lock its owner out. Names without an account are treated alike.
 */
export class Throttles {
  readonly #deps: ThrottlesDeps;

  constructor(deps: ThrottlesDeps) {
    this.#deps = deps;
  }

  async recognise({ user, name, purpose = "password" }: Guessed, { device }: Client): Promise<Guesser> {
    // An account keeps its counter when its name changes, and leaves none under the old name. Names without an account
    // cause the same lookup, so that response times reveal nothing.
    const isFamiliar = device !== null && (await knowsDevice(this.#deps.database, user?.id ?? "", device));
    // A name of a directory is counted as such: its account is found by the last sign-in, which another name may follow.
    const account = user && purpose !== "directory" ? `user ${user.id}` : `name ${usernameKeyOf(name)}`;
    const subject = purpose === "password" ? account : `${purpose} of ${account}`;
    const key = createHmac("sha256", this.#deps.key).update(isFamiliar ? `${subject}\n${device}` : subject);
    return { key: key.digest("base64url"), subject, userId: user?.id ?? null, purpose, isKnown: isFamiliar };
  }

  /**
   * Counts a guess whose password is about to be checked.
   * @returns how long (ms) to wait before, if it must not be checked now
   */
  async reserve({ key, userId, purpose }: Guesser): Promise<number | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    // Checked first, so that a throttled client costs only a read. The reservation below is the decisive check.
    const waitMs = await findWait(database, key, now);
    if (waitMs !== null) return waitMs;
    const reserve = reserveGuess(database, { key, userId, purpose, now }).catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
      // The account was removed meanwhile: it counts as a name without one.
      return reserveGuess(database, { key, userId: null, purpose, now });
    });
    if (await reserve) return null;
    return (await findWait(database, key, now)) ?? 0;
  }

  /** Takes the reserved guess back, because its password was not checked. */
  async giveBack({ key }: Guesser): Promise<void> {
    await giveGuessBack(this.#deps.database, key, this.#deps.clock.now());
  }

  /** Keeps the reserved guess, which was wrong, counted, in the caller's transaction. */
  async noteWrong(db: Queryable, { key }: Guesser): Promise<void> {
    await noteWrongGuess(db, key, this.#deps.clock.now());
  }

  /** Removes the counted guesses, because the reserved guess was right. */
  async noteRight({ key, userId, purpose, isKnown }: Guesser): Promise<void> {
    const { database } = this.#deps;
    if (isKnown && userId !== null) await clearThrottle(database, userId, purpose);
    else await forgetGuesses(database, key);
  }
}
