import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { HANG_MS } from "../../testing/app/wait-for.ts";
import { newToken, nextKey, type Person, signUp } from "../clients/person.ts";
import { answeringRoutes, describedRoutes } from "../routes/api-routes.ts";
import { routeHarness } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const DEAD_MS = 1000;
const STREAM_ENDS_MS = 2000;

/** E4: events that end a session, checked on every route and in every open stream, with times. */
export const revocation: Suite = {
  name: "revocation",
  async run(harness) {
    const databases =
      harness.hasPostgres && !harness.isShort ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await harness.startSite({ database });
      await tryEndings(harness, site, database);
    }
  },
};

type Ending = { name: string; act(ending: EndingHarness): Promise<number> };
/** `token`: session to be ended. `other`: another session of the same account. */
type EndingHarness = { site: Site; person: Person; token: string; other: string };

const sessionOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sid;
const call = async (site: Site, method: string, path: string, token: string, body?: object) =>
  (await site.send({ method, path: API_BASE + path, token, ...(body && { body }) })).status;

const endings: Ending[] = [
  { name: "logout", act: ({ site, token }) => call(site, "POST", accountPaths.logout, token) },
  {
    name: "the session ended from another",
    act: ({ site, token, other }) => call(site, "DELETE", accountPaths.session(sessionOf(token)), other),
  },
  { name: "all others ended", act: ({ site, other }) => call(site, "DELETE", accountPaths.sessions, other) },
  {
    name: "a new password",
    act: ({ site, other, person }) =>
      call(site, "POST", accountPaths.password, other, {
        currentPassword: person.password,
        password: "another password",
      }),
  },
  {
    name: "a reset password",
    act: async ({ site, person }) => {
      await site.send({
        method: "POST",
        path: API_BASE + accountPaths.forgotPassword,
        body: { email: person.email },
      });
      const body = { key: await nextKey(site, person.email), password: "another password" };
      return (await site.send({ method: "POST", path: API_BASE + accountPaths.resetPassword, body })).status;
    },
  },
  {
    name: "the account deleted at once",
    act: ({ site, other }) => call(site, "POST", accountPaths.accountDeletion, other, { isImmediate: true }),
  },
  {
    name: "the account to be deleted",
    act: ({ site, other }) => call(site, "POST", accountPaths.accountDeletion, other, { isImmediate: false }),
  },
];

/** Opens an event stream. `ended`: resolves with the time (ms) that it stayed open after the session's end. */
function holdStream(site: Site, token: string): { opened: Promise<void>; ended: Promise<number> } {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${token}` };
  const stream = request(`${site.url}${API_BASE}${conversationPaths.events}`, { headers, agent: false }, (answer) => {
    opened.resolve();
    answer.resume();
    answer.once("close", () => ended.resolve(performance.now()));
  });
  stream.once("error", () => ended.resolve(performance.now()));
  stream.end();
  return { opened: opened.promise, ended: ended.promise };
}

async function tryEndings({ report, isShort }: Harness, site: Site, database: string): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ isOpen }) => !isOpen);
  for (const { name, act } of endings) {
    await report.try("E4", `${name}: every route, and the open stream, ${database}`, async (trial) => {
      const person = await signUp(site);
      const token = await newToken(site, person);
      const other = await newToken(site, person);
      const on = await routeHarness(site, person);
      const stream = holdStream(site, token);
      await stream.opened;
      const status = await act({ site, person, token, other });
      trial.expect(status < 300, `it answered ${status}`);
      const at = performance.now();
      await Promise.all(
        routes.map(async (route) => {
          const answer = await site.send({ method: route.method, path: on.path(route), token });
          trial.expect(answer.status === 401, () => `${route.method} ${route.path}: ${answer.status}`);
        }),
      );
      const deadMs = performance.now() - at;
      const late = delay(HANG_MS, Number.NaN, { ref: false });
      const endedMs = (await Promise.race([stream.ended, late])) - at;
      trial.note(`stream ended after ${Math.max(0, Math.round(endedMs))} ms`);
      trial.expect(endedMs < (isShort ? HANG_MS : STREAM_ENDS_MS), `the stream continued for ${endedMs} ms`);
      trial.expect(isShort || deadMs < DEAD_MS * routes.length, "the routes took long");
    });
  }
}
