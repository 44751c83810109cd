import type { Random } from "../../testing/app/random.ts";
import { type OutgoingRequest, send } from "../../testing/http/send.ts";
import { sendRaw, statusesIn } from "../../testing/http/send-raw.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import { type ApiRoute, answeringRoutes, describedRoutes } from "../routes/api-routes.ts";
import { newChat } from "../routes/route-harness.ts";
import type { Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { drawBody, drawHeaders, drawPath, drawRaw } from "./draw.ts";

const AT_ONCE = 8;
/** Of so many requests one is no HTTP that a library would send. */
const RAW_CHANCE = 0.02;
const SERVER_ERROR = 500;
/** Routes that hash a password, which is slow by design; drawn less often, so that others get enough requests. */
const SLOW = /\/(login|register|proof|password|reset-password)$/;
const SLOW_CHANCE = 0.15;

/** J4: random and mutated requests on every route, for a given time. */
export const fuzz: Suite = {
  name: "fuzz",
  async run(harness) {
    await using site = await harness.startSite({ hasGoogle: true, env: { LOG_LEVEL: "error" } });
    const routes = answeringRoutes(await describedRoutes(site));
    const { pid } = site.server;
    const { report, fuzzSeconds } = harness;
    const tried = `${fuzzSeconds} s of random and mutated requests on all ${routes.length} routes, seed ${harness.seed}`;
    await report.try("J4", tried, async (trial) => {
      const until = performance.now() + fuzzSeconds * 1000;
      const reported = new Set<string>();
      const people = Array.from({ length: AT_ONCE }, (_, index) => index);
      await inBatches(
        people,
        async (index) => {
          const fuzzer = new Fuzzer(site, harness.random.fork(String(index)));
          while (performance.now() < until && site.server.pid === pid) {
            const { route, status, sending } = await fuzzer.once(routes);
            trial.count(1);
            const isNew = status >= SERVER_ERROR && !reported.has(`${route} ${status}`);
            reported.add(`${route} ${status}`);
            if (isNew) trial.fail(`${route} answered ${status} to ${sending}`);
          }
        },
        AT_ONCE,
      );
      if (site.server.pid !== pid) trial.fail(`the process ended: ${site.server.output.slice(-2000)}`);
      const { status } = await site.send({ path: "/healthz" });
      trial.expect(status === 200, `afterwards /healthz answered ${status}`);
    });
  },
};

type Shot = { route: string; status: number; sending: string };

/** A client that sends random requests as one account. */
class Fuzzer {
  readonly #site: Site;
  readonly #random: Random;
  #person: Person | undefined;
  #token = "";
  #chat = "";

  constructor(site: Site, random: Random) {
    this.#site = site;
    this.#random = random;
  }

  async once(routes: readonly ApiRoute[]): Promise<Shot> {
    if (!this.#person || (await this.#isLost())) await this.#begin();
    const route = this.#pick(routes);
    const name = `${route.method} ${route.path}`;
    if (this.#random.chance(RAW_CHANCE)) {
      const bytes = drawRaw(this.#random, route, this.#token);
      const statuses = statusesIn(await sendRaw(this.#site.url, bytes, { quietMs: 50, answerMs: 500 }));
      return { route: name, status: Math.max(0, ...statuses), sending: JSON.stringify(bytes.toString("latin1")) };
    }
    const sending = this.#draw(route);
    const status = await send(this.#site.url, sending).then(
      (answer) => answer.status,
      () => 0,
    );
    return { route: name, status, sending: JSON.stringify(sending) };
  }

  #pick(routes: readonly ApiRoute[]): ApiRoute {
    for (;;) {
      const route = routes[this.#random.between(0, routes.length - 1)];
      if (!route) throw new Error("There are no routes");
      if (!SLOW.test(route.path) || this.#random.chance(SLOW_CHANCE)) return route;
    }
  }

  #draw(route: ApiRoute): OutgoingRequest {
    const random = this.#random;
    const method = random.chance(0.03)
      ? random.pick(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
      : route.method;
    const isSignedIn = random.chance(0.9);
    return {
      method,
      path: drawPath(random, route, this.#chat),
      headers: drawHeaders(random),
      ...(isSignedIn && { token: this.#token }),
      ...(method !== "GET" && (route.body || random.chance(0.1)) && { body: drawBody(random, route.body ?? {}) }),
    };
  }

  /** Whether the session is lost: a request may have signed out, or deleted the account. */
  async #isLost(): Promise<boolean> {
    if (!this.#random.chance(0.05)) return false;
    return (await this.#site.send({ path: "/api/auth/me", token: this.#token })).status === 401;
  }

  async #begin(): Promise<void> {
    const again = this.#person && (await newToken(this.#site, this.#person).catch(() => undefined));
    if (!again) this.#person = await signUp(this.#site);
    this.#token = again ?? this.#person?.token ?? "";
    this.#chat = await newChat(this.#site, { token: this.#token });
  }
}
