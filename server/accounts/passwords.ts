import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, type Options, parseOptions, verify } from "@node-rs/argon2";
import { Semaphore } from "../semaphore.ts";

/** argon2id is the library's default algorithm; its enum exists in types only. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;
const AT_ONCE_MAX = 2;
const QUEUE_MAX = 64;
const RETRY_AFTER_SECONDS = 2;

export type PasswordCheck = { isRight: boolean; isOutdated: boolean };

/**
 * Hashes and checks passwords, two at a time, or one where there are only two cores: each takes 19 MiB and a core, and one
 * core is left for all else, or the words of running replies would wait for sign-ins. What finds the queue full is refused.
 */
export class Passwords {
  readonly #turns: Semaphore;
  #dummy: Promise<string> | undefined;

  constructor({ cores = availableParallelism() } = {}) {
    const atOnce = Math.max(1, Math.min(AT_ONCE_MAX, cores - 1));
    this.#turns = new Semaphore({ atOnce, maxWaiting: QUEUE_MAX, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** @throws Failure `unavailable` while too many wait */
  hash(password: string): Promise<string> {
    return this.#turns.run(() => hash(normalised(password), COST));
  }

  /**
   * Checks a password against a stored hash. Without one (no such account, or one that has no password) the same work is
   * done in vain, so that time does not tell.
   * @throws Failure `unavailable` while too many wait
   */
  async check(password: string, stored: string | null): Promise<PasswordCheck> {
    const dummy = await this.#dummyHash();
    const isRight = await this.#turns.run(() => verify(stored ?? dummy, normalised(password)));
    if (stored === null || !isRight) return { isRight: false, isOutdated: false };
    return { isRight, isOutdated: isOutdated(stored) };
  }

  #dummyHash(): Promise<string> {
    this.#dummy ??= hash(randomBytes(32), COST);
    return this.#dummy;
  }
}

/**
 * As bytes, so that a U+0000 inside ends nothing. No mark is dropped: the contract has bounded the length to 256
 * code points.
 */
function normalised(password: string): Uint8Array {
  return Buffer.from(password.normalize("NFKC"), "utf8");
}

function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
