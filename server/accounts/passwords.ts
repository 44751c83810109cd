import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, type Options, parseOptions, verify } from "@node-rs/argon2";
import type { Flow } from "../concurrency/fair-queue.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import type { Client } from "../http/client.ts";
import { networkOf } from "../limits/networks.ts";

/** argon2id is the library's default algorithm; its enum exists in types only. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;
const AT_ONCE_MAX = 2;
const QUEUE_MAX = 64;
const RETRY_AFTER_SECONDS = 2;

/**
 * Whom a hash is computed for.
 * @param account what names the account within the client's network
 */
export const flowOf = ({ ip }: Pick<Client, "ip">, account: string): Flow => ({ network: networkOf(ip), account });

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
 * Hashes and checks passwords, two at a time, or one where there are only two cores: each takes 19 MiB and a core, and one
 * core is left for all else, or the words of running replies would wait for sign-ins. The queue is shared fairly between
 * networks and their accounts. Where it is full, the newest of the flow with the most is refused.
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
   * @param flow whom the work is for, which decides its position in the queue
   * @throws Failure `unavailable` while too many wait
   */
  hash(password: string, flow?: Flow): Promise<string> {
    return this.#semaphore.run(() => this.#hasher.hash(normalised(password)), undefined, flow);
  }

  /**
   * Checks a password against a stored hash. Without one (no such account, or one that has no password) the same work is
   * done in vain, so that time does not tell.
   * @throws Failure `unavailable` while too many wait
   */
  async check(password: string, stored: string | null, flow?: Flow): Promise<PasswordCheck> {
    const dummy = await this.#dummyHash();
    const isRight = await this.#semaphore.run(
      () => this.#hasher.verify(stored ?? dummy, normalised(password)),
      undefined,
      flow,
    );
    if (stored === null || !isRight) return { isRight: false, isOutdated: false };
    return { isRight, isOutdated: isOutdated(stored) };
  }

  #dummyHash(): Promise<string> {
    this.#dummy ??= this.#hasher.hash(randomBytes(32));
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
