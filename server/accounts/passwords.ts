import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, type Options, parseOptions, verify } from "@node-rs/argon2";
import type { Flow } from "../concurrency/fair-queue.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";

/** argon2id is the library's default algorithm; its enum exists in types only. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;
const AT_ONCE_MAX = 2;
const QUEUE_MAX = 64;
const RETRY_AFTER_SECONDS = 2;

export type Hasher = {
  hash(password: Uint8Array): Promise<string>;
  verify(stored: string, password: Uint8Array): Promise<boolean>;
};
const argon2: Hasher = {
  hash: (password) => hash(password, COST),
  verify: (stored, password) => verify(stored, password),
};

export type PasswordCheck = { isRight: boolean; isOutdated: boolean };

/**
 * Hashes and checks passwords with bounded concurrency: two at a time, one on two cores. Each needs 19 MiB and a core,
 * and one core must stay free for streams and other requests. The queue is fair between networks and their accounts.
 * When it is full, the newest entry of the longest flow is refused.
 */
export class Passwords {
  readonly #semaphore: KeyedSemaphore;
  readonly #hasher: Hasher;
  #dummy: Promise<string> | undefined;

  constructor({ cores = availableParallelism(), hasher = argon2 }: { cores?: number; hasher?: Hasher } = {}) {
    this.#hasher = hasher;
    const atOnce = Math.max(1, Math.min(AT_ONCE_MAX, cores - 1));
    this.#semaphore = new KeyedSemaphore({ atOnce, maxWaiting: QUEUE_MAX, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /**
   * @param flow the client and account of the request, which decide its position in the queue
   * @throws Failure `unavailable` if the queue is full
   */
  hash(password: string, flow: Flow): Promise<string> {
    return this.#semaphore.run(flow, () => this.#hasher.hash(normalised(password)));
  }

  /**
   * Checks a password against a stored hash. Without one (no such account, or none with a password) a dummy hash is
   * checked, to prevent timing attacks.
   * @param admit runs when the check's turn has come. So it counts the few checks that run and not those in the queue.
   * @throws Failure `unavailable` if the queue is full; what `admit` throws
   */
  async check(
    password: string,
    stored: string | null,
    { flow, admit }: { flow: Flow; admit?: () => Promise<void> },
  ): Promise<PasswordCheck> {
    const dummy = await this.#dummyHash();
    const isRight = await this.#semaphore.run(flow, async () => {
      await admit?.();
      return this.#hasher.verify(stored ?? dummy, normalised(password));
    });
    if (stored === null || !isRight) return { isRight: false, isOutdated: false };
    return { isRight, isOutdated: isOutdated(stored) };
  }

  #dummyHash(): Promise<string> {
    this.#dummy ??= this.#hasher.hash(randomBytes(32));
    return this.#dummy;
  }
}

/**
 * Returns bytes, because a U+0000 would end a C string. Drops no combining marks: the contract has bounded the length
 * to 256 code points.
 */
export function normalised(password: string): Uint8Array {
  return Buffer.from(password.normalize("NFKC"), "utf8");
}

function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
