import { createHash } from "node:crypto";
import { SECOND } from "#contract/limits.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import type { Log } from "../log.ts";
import { allowedHostOf } from "../outbound/guarded-request.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { normalised } from "./passwords.ts";

/** Time for the queue and the answer; afterwards the password is accepted without a lookup. */
const WAIT_MS = 2 * SECOND;
/** A range of Pwned Passwords, padded, has about 40 kB. */
const MAX_BYTES = 512 * 1024;
const PREFIX_LENGTH = 5;
/** A suffix of a SHA-1 hash and how often it was breached; lines of padding have the count 0. */
const LINE = /^([\dA-F]{35}):(\d+)$/i;

/**
 * Looks up passwords by the range API of Pwned Passwords (https://haveibeenpwned.com/API/v3#PwnedPasswords). Only the
 * first five hex digits of the SHA-1 hash are sent (k-anonymity). The number of concurrent requests is bounded, because
 * anybody can cause them by registering.
 */
export class BreachLookup {
  readonly #url: URL;
  readonly #outbound: Outbound;
  readonly #log: Log;
  readonly #semaphore = new KeyedSemaphore({ atOnce: 8, maxWaiting: 64, spareForNetworks: 2 });
  #hasFailed = false;

  constructor({ url, outbound, log }: { url: string; outbound: Outbound; log: Log }) {
    this.#url = new URL(url);
    this.#outbound = outbound;
    this.#log = log;
  }

  /** Returns whether a password is known as breached; without an answer in time, false. Never rejects. */
  async isBreached(password: string, flow: Flow): Promise<boolean> {
    const hash = createHash("sha1").update(normalised(password)).digest("hex").toUpperCase();
    const signal = AbortSignal.timeout(WAIT_MS);
    try {
      const request = () => this.#readRange(hash.slice(0, PREFIX_LENGTH), signal);
      const suffixes = await this.#semaphore.run(flow, request, signal);
      this.#hasFailed = false;
      return suffixes.has(hash.slice(PREFIX_LENGTH));
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  /** Logs the first failure of an outage only. */
  #report(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ reason }, "breached passwords could not be looked up, new passwords are accepted without it");
  }

  async #readRange(prefix: string, signal: AbortSignal): Promise<Set<string>> {
    const { OutboundGuard } = await import("../outbound/outbound-guard.ts");
    const address = new URL(this.#url);
    address.pathname = `${address.pathname.replace(/\/+$/, "")}/range/${prefix}`;
    await using response = await new OutboundGuard({ outbound: this.#outbound }).open(address, {
      maxBytes: MAX_BYTES,
      timeoutMs: WAIT_MS,
      headers: { accept: "text/plain", "add-padding": "true", "user-agent": "Parley" },
      // Mirrors in the own network are allowed.
      allowed: allowedHostOf(address),
      signal,
    });
    return suffixesOf(Buffer.from(await response.bytes()).toString());
  }
}

/** @throws Error if a line has another form, as those of a page in front of the service have */
function suffixesOf(range: string): Set<string> {
  const suffixes = new Set<string>();
  for (const line of range.split("\n")) {
    if (line.trim() === "") continue;
    const [, suffix, count] = LINE.exec(line.trim()) ?? [];
    if (suffix === undefined) throw new Error("the answer is no range of hashes");
    if (Number(count) > 0) suffixes.add(suffix.toUpperCase());
  }
  return suffixes;
}
