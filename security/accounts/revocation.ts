import { request } from "node:http";
import { API_BASE, paths } from "#contract/paths.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { holdBack } from "../clients/hold-back.ts";
import { newPerson, newToken, nextKey, PASSWORD, type Person, register, signIn, signUp } from "../clients/person.ts";
import type { Ground, Part } from "../part.ts";
import type { Trial } from "../report.ts";
import { answeringRoutes, describedRoutes } from "../routes/api-routes.ts";
import { newChat, routeGround } from "../routes/route-ground.ts";
import type { Site } from "../site.ts";

const DEAD_MS = 1000;
const STREAM_ENDS_MS = 2000;
/** For a machine that does much else. */
const PATIENCE_MS = 30_000;

/** E4, H5, D10: what ends a session, on every route and in every open stream. */
export const revocation: Part = {
  name: "revocation",
  async run(ground) {
    const databases = ground.hasPostgres && !ground.isShort ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await ground.startSite({ database });
      await tryEndings(ground, site, database);
      await tryHeldBodies(ground, site);
      await tryPending(ground, site);
      await tryDeletion(ground, site);
    }
  },
};

type Ending = { name: string; act(ending: EndingGround): Promise<number> };
/** `token` is to be ended; `other` is another session of the same person. */
type EndingGround = { site: Site; person: Person; token: string; other: string };

const sessionOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sid;
const call = async (site: Site, method: string, path: string, token: string, body?: object) =>
  (await site.send({ method, path: API_BASE + path, token, ...(body && { body }) })).status;

const endings: Ending[] = [
  { name: "logout", act: ({ site, token }) => call(site, "POST", paths.logout, token) },
  {
    name: "the session ended from another",
    act: ({ site, token, other }) => call(site, "DELETE", paths.session(sessionOf(token)), other),
  },
  { name: "all others ended", act: ({ site, other }) => call(site, "DELETE", paths.sessions, other) },
  {
    name: "a new password",
    act: ({ site, other, person }) =>
      call(site, "POST", paths.password, other, { currentPassword: person.password, password: "another password" }),
  },
  {
    name: "a reset password",
    act: async ({ site, person }) => {
      await site.send({ method: "POST", path: API_BASE + paths.forgotPassword, body: { email: person.email } });
      const body = { key: await nextKey(site, person.email), password: "another password" };
      return (await site.send({ method: "POST", path: API_BASE + paths.resetPassword, body })).status;
    },
  },
  {
    name: "the account deleted at once",
    act: ({ site, other }) => call(site, "POST", paths.accountDeletion, other, { isImmediate: true }),
  },
  {
    name: "the account to be deleted",
    act: ({ site, other }) => call(site, "POST", paths.accountDeletion, other, { isImmediate: false }),
  },
];

/** A stream of events that somebody holds open; settles with how long it went on after `from()`. */
function holdStream(site: Site, token: string): { opened: Promise<void>; ended: Promise<number> } {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${token}` };
  const stream = request(`${site.url}${API_BASE}${paths.events}`, { headers, agent: false }, (answer) => {
    opened.resolve();
    answer.resume();
    answer.once("close", () => ended.resolve(performance.now()));
  });
  stream.once("error", () => ended.resolve(performance.now()));
  stream.end();
  return { opened: opened.promise, ended: ended.promise };
}

async function tryEndings({ report, isShort }: Ground, site: Site, database: string): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ isOpen }) => !isOpen);
  for (const { name, act } of endings) {
    await report.try("E4", `${name}: every route, and the open stream, ${database}`, async (trial) => {
      const person = await signUp(site);
      const token = await newToken(site, person);
      const other = await newToken(site, person);
      const on = await routeGround(site, person);
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
      const late = new Promise<number>((resolve) => setTimeout(() => resolve(Number.NaN), PATIENCE_MS).unref());
      const endedMs = (await Promise.race([stream.ended, late])) - at;
      trial.note(`stream ended after ${Math.max(0, Math.round(endedMs))} ms`);
      trial.expect(endedMs < (isShort ? PATIENCE_MS : STREAM_ENDS_MS), `the stream went on for ${endedMs} ms`);
      trial.expect(isShort || deadMs < DEAD_MS * routes.length, "the routes took long");
    });
  }
}

async function tryHeldBodies({ report }: Ground, site: Site): Promise<void> {
  await report.try("E4", "requests whose bodies come after their session has ended", async (trial) => {
    const held = [
      ["POST", paths.email, { email: "thief@example.org" }],
      ["POST", paths.username, { username: "thief" }],
      ["PATCH", paths.me, { firstname: "Thief", lastname: "Thief" }],
      ["POST", paths.accountDeletion, { isImmediate: true }],
      ["POST", paths.chats, {}],
    ] as const;
    for (const [method, path, body] of held) {
      const person = await signUp(site);
      const token = await newToken(site, person);
      const late = holdBack(site, { method, path, body, token });
      await late.isUnderWay;
      const status = await call(site, "POST", paths.logout, token);
      trial.expect(status === 204, `the logout answered ${status}`);
      const answered = await late.finish();
      trial.expect(answered === 401 || answered === 403, () => `${method} ${path}: ${answered}`);
    }
  });
}

async function tryPending({ report }: Ground, site: Site): Promise<void> {
  await report.try("D10", "an account that is not verified, on every route (V10)", async (trial) => {
    const pending = newPerson();
    const registered = await register(site, pending);
    trial.expect(!/eyJ/.test(registered.text), "the registration holds a token");
    const answer = await signIn(site, pending);
    const isPlain = answer.status === 403 && !/eyJ/.test(answer.text + JSON.stringify(answer.headers));
    trial.expect(isPlain, () => `the sign-in answered ${answer.status} ${answer.text}`);
    const { sessions = [], users = [] } = await databaseRows(site);
    const row = users.find(({ username }) => username === pending.username);
    trial.expect(!sessions.some(({ user_id }) => user_id === row?.id), "it has a session");
  });
}

async function tryDeletion({ report }: Ground, site: Site): Promise<void> {
  await report.try("H5", "chats and accounts that are deleted, wherever they were to be seen", async (trial) => {
    const person = await signUp(site);
    const token = await newToken(site, person);
    const chat = await newChat(site, { token });
    const message = `canary-${chat}`;
    await site.send({ method: "POST", path: API_BASE + paths.chatSend(chat), token, body: { message } });
    trial.expect((await call(site, "DELETE", paths.chat(chat), token)) === 204, "the chat is deleted");
    await expectGone(trial, site, token, chat);
    // Its rows stay for the hour in which that can be undone; `server/chats/chats.test.ts` steps past it.
    const undo = (by: string) => call(site, "POST", paths.chatBatch, by, { ids: [chat], change: { isDeleted: false } });
    await undo(await newToken(site, await signUp(site)));
    await expectGone(trial, site, token, chat);
    const kept = await newChat(site, { token });
    await site.send({
      method: "POST",
      path: API_BASE + paths.chatSend(kept),
      token,
      body: { message: `canary-${kept}` },
    });
    await call(site, "POST", paths.accountDeletion, token, { isImmediate: true });
    const { status } = await signIn(site, { ...person, password: PASSWORD });
    trial.expect(status === 401, `the deleted account signs in: ${status}`);
    const after = JSON.stringify(await databaseRows(site));
    for (const trace of [person.user.id, person.username, `canary-${kept}`, kept]) {
      trial.expect(
        !after.includes(`"${trace}"`) && !after.includes(`canary-${trace}`),
        () => `the database holds ${trace}`,
      );
    }
  });
}

async function expectGone(trial: Trial, site: Site, token: string, chat: string): Promise<void> {
  for (const [method, path, body] of [
    ["GET", paths.chat(chat)],
    ["GET", paths.chatReply(chat)],
    ["POST", paths.chatStop(chat)],
    ["POST", paths.chatSend(chat), { message: "a" }],
    ["PATCH", paths.chat(chat), { title: "a" }],
    ["DELETE", paths.chat(chat)],
  ] as const) {
    const status = await call(site, method, path, token, body);
    trial.expect(status === 404, () => `${method} ${path}: ${status}`);
  }
  for (const query of ["", "?pinned=true", "?archived=true"]) {
    const history = await site.send({ path: API_BASE + paths.chatHistory + query, token });
    trial.expect(!history.text.includes(chat), `the history${query} lists it`);
  }
}
