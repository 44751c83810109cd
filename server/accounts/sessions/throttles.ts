import { createHmac } from "node:crypto";
import type { Clock } from "../../concurrency/clock.ts";
import type { Database, Queryable, UserRow } from "../../database/schema.ts";
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

/** Whose password is guessed: an account, or a name that nobody has. */
export type Guessed = { user: UserRow | undefined; name: string };

/** Who guesses at whose password. */
export type Guesser = {
  /** Keyed hash: no name is stored. */
  key: string;
  /** Names the account, or the name that nobody has, whatever the device. */
  subject: string;
  userId: string | null;
  /** The account was signed in before in this browser. */
  isKnown: boolean;
};

/**
 * Slows down who guesses a password: after ten wrong ones in a row waits of 1, 2, 4 … 900 s, after a hundred nothing is
 * evaluated any more. A browser in which the account was signed in before has a counter of its own, so that nobody
 * elsewhere can lock its owner out there. Names that nobody has are treated alike.
 */
export class Throttles {
  readonly #deps: ThrottlesDeps;

  constructor(deps: ThrottlesDeps) {
    this.#deps = deps;
  }

  async recognise({ user, name }: Guessed, { device }: Client): Promise<Guesser> {
    // An account keeps its counter through a change of its name, and leaves none behind under it. The same look-up for
    // names that nobody has, so that time does not tell.
    const isFamiliar = device !== null && (await knowsDevice(this.#deps.database, user?.id ?? "", device));
    const subject = user ? `user ${user.id}` : `name ${usernameKeyOf(name)}`;
    const key = createHmac("sha256", this.#deps.key).update(isFamiliar ? `${subject}\n${device}` : subject);
    return { key: key.digest("base64url"), subject, userId: user?.id ?? null, isKnown: isFamiliar };
  }

  /** Counts a guess that is about to be evaluated. @returns how long (ms) to wait before, if it must not be */
  async reserve({ key, userId }: Guesser): Promise<number | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    // Looked at first, so that who must wait costs nothing; what counts is the reservation.
    const waitMs = await findWait(database, key, now);
    if (waitMs !== null) return waitMs;
    const reserve = reserveGuess(database, { key, userId, now }).catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
      // The account was removed meanwhile: from now on it is a name that nobody has.
      return reserveGuess(database, { key, userId: null, now });
    });
    if (await reserve) return null;
    return (await findWait(database, key, now)) ?? 0;
  }

  /** The reserved guess was not evaluated after all. */
  async giveBack({ key }: Guesser): Promise<void> {
    await giveGuessBack(this.#deps.database, key, this.#deps.clock.now());
  }

  /** The reserved guess was wrong, which is to be known with the rest of the caller's transaction. */
  async noteWrong(db: Queryable, { key }: Guesser): Promise<void> {
    await noteWrongGuess(db, key, this.#deps.clock.now());
  }

  /** The reserved guess was right. */
  async noteRight({ key, userId, isKnown }: Guesser): Promise<void> {
    const { database } = this.#deps;
    if (isKnown && userId !== null) await clearThrottle(database, userId);
    else await forgetGuesses(database, key);
  }
}
