import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import type { Answer } from "../../testing/http/send.ts";
import { Browser } from "../clients/browser.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const BROWSERS = 12;
const AT_ONCE = 10;
/** Below the limit of registrations of a network in a minute. */
const OTHERS = 12;
const SHORT_OTHERS = 4;
const ALLOWED_MS = 1000;
const FLOODER = "192.0.2.1";

/**
 * K5: one account signs in continuously in twelve known browsers, while other accounts sign in sequentially. With rate
 * limits, and without them, so that only the fair queues separate them.
 */
export const signInFlood: Suite = {
  name: "sign-in-flood",
  async run(harness) {
    for (const hasLimits of [true, false]) {
      await using site = await harness.startSite({ hasLimits, env: { TRUST_PROXY: "127.0.0.1" } });
      await tryFlood(harness, site, hasLimits);
    }
  },
};

async function tryFlood({ report, isShort }: Harness, site: Site, hasLimits: boolean): Promise<void> {
  const tried = `sign-ins during ${BROWSERS * AT_ONCE} concurrent ones to one account, ${hasLimits ? "with" : "without"} limits`;
  await report.try("K5", tried, async (trial) => {
    const flooding = await signUp(site);
    const others: Person[] = [];
    for (let count = 0; count < (isShort ? SHORT_OTHERS : OTHERS); count++) others.push(await signUp(site));
    const flood = await Flood.begin(site, flooding);
    const times: number[] = [];
    try {
      for (const [at, other] of others.entries()) {
        // Half of the other accounts share the flood's network.
        const { status, ms } = await logIn(site, other, at % 2 === 0 ? FLOODER : `198.51.100.${at}`);
        trial.expect(status === 200, () => `another person received ${status}`);
        times.push(ms);
      }
    } finally {
      await flood.end();
    }
    const sorted = times.toSorted((a, b) => a - b);
    const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    trial.note(`${Math.round(median)} ms, at most ${Math.round(longest)} ms; the flood: ${flood.summary}`);
    // Without limits (local use only) nobody is refused, but hashing and commits are shared with the flood.
    trial.expect(
      isShort || !hasLimits || longest < ALLOWED_MS,
      () => `sign-ins took ${times.map(Math.round).join(", ")} ms`,
    );
  });
}

/** Signs in like a program, which needs no anti-forgery token. */
function logIn(site: Site, { username, password }: Person, ip: string, cookie?: string): Promise<Answer> {
  const headers = { "x-forwarded-for": ip, ...(cookie !== undefined && { cookie }) };
  return site.send({ method: "POST", path: API_BASE + accountPaths.login, headers, body: { username, password } });
}

class Flood {
  readonly #site: Site;
  readonly #person: Person;
  readonly #counts = new Map<number, number>();
  #running: Promise<void>[] = [];
  #isOver = false;

  private constructor(site: Site, person: Person) {
    this.#site = site;
    this.#person = person;
  }

  /** Makes browsers known to the account, and signs in with all their cookies until {@link end}. */
  static async begin(site: Site, person: Person): Promise<Flood> {
    const flood = new Flood(site, person);
    const { username, password } = person;
    for (let count = 0; count < BROWSERS; count++) {
      const browser = new Browser(site);
      await browser.open();
      await browser.send({ method: "POST", path: API_BASE + accountPaths.login, body: { username, password } });
      const enter = () => flood.#enterUntilOver(browser.cookieHeader);
      const running = Array.from({ length: AT_ONCE }, enter);
      // A failure is reported by `end`, and must not end the run before.
      for (const one of running) one.catch(() => undefined);
      flood.#running.push(...running);
    }
    return flood;
  }

  /** Number of responses by status. */
  get summary(): string {
    return [...this.#counts].map(([status, count]) => `${status} ${count}×`).join(", ");
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #enterUntilOver(cookie: string): Promise<void> {
    while (!this.#isOver) {
      const { status } = await logIn(this.#site, this.#person, FLOODER, cookie);
      this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
    }
  }
}
