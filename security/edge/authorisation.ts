import { randomUUID } from "node:crypto";
import { API_BASE, paths } from "#contract/paths.ts";
import { malformedCredentials } from "../attacks/credentials.ts";
import { changedTables, databaseDump, databaseRows } from "../clients/database-dump.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import { type Answer, jsonOf, type Sending } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import { type ApiRoute, answeringRoutes, describedRoutes, exampleOf, filled } from "../routes/api-routes.ts";
import { newChat, routeGround } from "../routes/route-ground.ts";
import type { Site } from "../site.ts";
import { idsOf } from "./ids-of-person.ts";

/** What anybody may call; everything else asks for a sign-in. */
const OPEN = new Set([
  `GET ${API_BASE}${paths.authConfig}`,
  `POST ${API_BASE}${paths.register}`,
  `POST ${API_BASE}${paths.verify}`,
  `POST ${API_BASE}${paths.resendVerification}`,
  `POST ${API_BASE}${paths.login}`,
  `POST ${API_BASE}${paths.google}`,
  `POST ${API_BASE}${paths.forgotPassword}`,
  `POST ${API_BASE}${paths.resetPassword}`,
  `POST ${API_BASE}${paths.confirmEmail}`,
  `POST ${API_BASE}${paths.undoEmail}`,
]);

/** H1–H5, G2, G7: who may do what, on every route of the server's own description. */
export const authorisation: Part = {
  name: "authorisation",
  async run(ground) {
    const databases = ground.hasPostgres && !ground.isShort ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await ground.startSite({ hasGoogle: true, database });
      const [ada, eve] = [await signUp(site), await signUp(site)];
      await tryOthersIds(ground, site, { ada, eve }, database);
      await tryForeignFields(ground, site, { ada, eve });
      await tryWithoutToken(ground, site, ada);
      await tryIds(ground, site, ada);
      await tryReading(ground, site, ada);
      await tryErrors(ground, site, ada);
    }
  },
};

type Two = { ada: Person; eve: Person };

async function tryOthersIds({ report }: Ground, site: Site, { ada, eve }: Two, database: string): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ path }) => path.includes("{"));
  const ids = await idsOf(site, ada);
  await report.try("H1", `another's ids on every route that takes one, ${database}`, async (trial) => {
    const before = await databaseDump(site);
    for (const route of routes) {
      const id = Object.entries(ids).find(([start]) => route.path.startsWith(start))?.[1];
      if (!id) {
        trial.fail(`${route.method} ${route.path} has no row here: say whose its ids are`);
        continue;
      }
      for (const body of bodiesFor(route)) {
        const ask = (one: string) =>
          site.send({ method: route.method, path: filled(route.path, one), token: eve.token, ...(body && { body }) });
        const [others, nobodys] = [await ask(id), await ask(randomUUID())];
        const isAlike = visible(others) === visible(nobodys) && (others.status === 404 || others.status === 400);
        trial.expect(isAlike, () => `${route.method} ${route.path}: ${visible(others)} but ${visible(nobodys)}`);
      }
    }
    const changed = changedTables(before, await databaseDump(site));
    trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
    trial.expect(!site.provider.chats.some(({ isAborted }) => isAborted), "a provider's call was cut off");
  });
  await report.try("H1", `another's ids in bodies and queries, ${database}`, async (trial) => {
    const own = await newChat(site, eve);
    const chat = ids["/api/chat/"] ?? "";
    const { messages } = jsonOf<{ messages: { id: string }[] }>(
      await site.send({ path: API_BASE + paths.chat(chat), token: ada.token }),
    );
    for (const { id } of messages) {
      const told = await Promise.all(
        [id, randomUUID()].map(async (one) => [
          visible(
            await site.send({ path: `${API_BASE}${paths.chatReply(own)}?reply=${one}&from=0`, token: eve.token }),
          ),
          visible(
            await site.send({
              method: "POST",
              path: API_BASE + paths.chatReply(own),
              token: eve.token,
              body: { mode: "continue", parent: one },
            }),
          ),
          ...(await Promise.all(
            [
              [paths.chatBranch(own), { message: one }],
              [paths.chatSend(own), { message: "Hi", parent: one, branch: true }],
              [paths.chatReply(own), { mode: "regenerate", of: one }],
            ].map(async ([path, body]) =>
              visible(await site.send({ method: "POST", path: `${API_BASE}${path}`, token: eve.token, body })),
            ),
          )),
          visible(await site.send({ path: `${API_BASE}${paths.chatHistory}?limit=5&before=${one}`, token: eve.token })),
        ]),
      );
      trial.expect(JSON.stringify(told[0]) === JSON.stringify(told[1]), () => JSON.stringify(told));
    }
    const all = JSON.stringify(
      await Promise.all(
        [paths.chatHistory, paths.me, paths.models, paths.sessions, paths.securityLog].map(async (path) => {
          return (await site.send({ path: API_BASE + path, token: eve.token })).text;
        }),
      ),
    );
    trial.expect(!all.includes(`canary of ${ada.username}`) && !all.includes(ada.email), "lists hold another's");
  });
}

/** None, one that fits, and each of the choices that a body gives. */
function bodiesFor({ body }: ApiRoute): (object | undefined)[] {
  if (!body) return [undefined];
  const example = exampleOf(body) as object;
  const choices = Object.entries(body.properties ?? {}).flatMap(([name, one]) =>
    (one.enum ?? []).map((value) => ({ ...example, [name]: value })),
  );
  return [example, ...choices];
}

const visible = ({ status, text, headerNames }: Answer) => `${status} ${text} ${headerNames.join(" ")}`;

const foreign = (other: string) => ({
  userId: other,
  user_id: other,
  user: { id: other },
  owner: other,
  id: other,
  role: "admin",
  isAdmin: true,
  createdAt: 1,
  created_at: 1,
  status: "complete",
  state: "complete",
  emailVerified: true,
  verified_at: 1,
  baseURL: "http://127.0.0.1:1",
  iconURL: "http://127.0.0.1:1/x.png",
  title: "canary-foreign",
  embeds: ["<script>"],
  html: "<script>",
});

async function tryForeignFields({ report }: Ground, site: Site, { ada, eve }: Two): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ body, method }) => body && method !== "DELETE");
  const on = await routeGround(site, eve);
  await report.try("H2", "fields that nobody asked for, in every body", async (trial) => {
    for (const route of routes) {
      const own = Object.keys(route.body?.properties ?? {});
      const added = Object.entries(foreign(ada.user.id)).filter(([name]) => !own.includes(name));
      for (const [name, value] of added) {
        const body = { ...(exampleOf(route.body ?? {}) as object), [name]: value };
        const { status } = await site.send({
          method: route.method,
          path: on.path(route),
          token: on.token(route),
          body,
        });
        trial.expect(status < 500, () => `${route.method} ${route.path} with ${name}: ${status}`);
      }
      for (const name of ["__proto__", "constructor"]) {
        const text = JSON.stringify(exampleOf(route.body ?? {})).replace(
          "{",
          `{"${name}":{"prototype":{"isAdmin":true}},`,
        );
        const { status } = await site.send({
          method: route.method,
          path: on.path(route),
          token: on.token(route),
          body: text.replace(",}", "}"),
        });
        // A deletion with more fields than it knows has ended the session.
        trial.expect([400, 401, 403].includes(status), () => `${route.method} ${route.path} with ${name}: ${status}`);
      }
    }
    const rows = JSON.stringify(await databaseRows(site));
    trial.expect(!rows.includes("canary-foreign") && !rows.includes("x.png"), "what was added is stored");
    const { users = [] } = await databaseRows(site);
    const row = users.find(({ id }) => id === ada.user.id);
    trial.expect(row?.email === ada.email && row?.created_at !== 1, "another's account has changed");
  });
}

async function tryWithoutToken({ report }: Ground, site: Site, ada: Person): Promise<void> {
  const routes = await describedRoutes(site);
  const on = await routeGround(site, ada);
  await report.try("H3", "every route without a token, or with one in another place", async (trial) => {
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      trial.expect(OPEN.has(name) === route.isOpen, () => `${name} is ${route.isOpen ? "open" : "closed"}`);
      if (route.isOpen) continue;
      for (const sending of disguises(route, on.path(route), ada.token)) {
        const { status, text } = await site.send({ ...sending, isAlone: true });
        const isPublic = /^(<!doctype html>|\{"productName")/.test(text);
        const held = [400, 401, 404, 405].includes(status) || (status === 200 && isPublic);
        trial.expect(
          held && !text.includes(ada.email),
          () => `${JSON.stringify(sending)}: ${status} ${text.slice(0, 80)}`,
        );
      }
    }
  });
}

/** The same request without a sign-in, its address written in other ways. */
function disguises({ method }: ApiRoute, path: string, token: string): Sending[] {
  const [, api = "", rest = ""] = /^(\/api)(\/.*)$/.exec(path) ?? [];
  const spellings = [
    path,
    `${path}/`,
    `${path}.`,
    `${path};x=1`,
    `${path}%20`,
    `${path}%00`,
    `${path}?`,
    `${path}#x`,
    `/${path}`,
    `${api}/${rest}`,
    `/.${path}`,
    `/x/..${path}`,
    `${api}/./${rest.slice(1)}`,
    `${api}%2f${rest.slice(1)}`,
    `/API${rest}`,
    `${api}${rest.toUpperCase()}`,
    `/%61pi${rest}`,
    `${path}?access_token=${token}&token=${token}`,
  ];
  const overrides = ["x-http-method-override", "x-http-method", "x-method-override"];
  const originals = ["x-original-url", "x-rewrite-url"];
  return [
    ...spellings.map((spelling) => ({ method, path: spelling })),
    ...overrides.map((name) => ({ method: "POST", path, headers: { [name]: method } })),
    ...originals.map((name) => ({ method, path: `${API_BASE}${paths.authConfig}`, headers: { [name]: path } })),
    ...malformedCredentials(token)
      .slice(0, 3)
      .map((authorization) => ({ method, path, headers: { authorization } })),
    { method, path, headers: { cookie: `token=${token}; access_token=${token}` } },
    { method, path, headers: { "x-api-key": token, "x-user-id": "1", "x-forwarded-user": "ada" } },
  ].filter((sending) => sending.method === method || method === "POST") as Sending[];
}

async function tryIds({ report }: Ground, site: Site, ada: Person): Promise<void> {
  await report.try("H4", "ids in place of tokens and keys, and what is random in those", async (trial) => {
    const chat = await newChat(site, ada);
    const session = JSON.parse(Buffer.from(ada.token.split(".")[1] ?? "", "base64url").toString()).sid;
    const { email_keys = [], mails = [] } = await databaseRows(site);
    const ids = [ada.user.id, chat, session, ...[...email_keys, ...mails].map(({ id }) => String(id))];
    for (const id of ids) {
      const asToken = await site.send({ path: API_BASE + paths.me, token: id });
      trial.expect(asToken.status === 401, () => `${id} as a token: ${asToken.status}`);
      for (const path of [paths.verify, paths.resetPassword, paths.confirmEmail, paths.undoEmail]) {
        const body = { key: id, password: "another password" };
        const { status } = await site.send({ method: "POST", path: API_BASE + path, body });
        trial.expect(status === 400, () => `${id} as a key for ${path}: ${status}`);
      }
    }
    const signature = Buffer.from(ada.token.split(".")[2] ?? "", "base64url");
    trial.expect(signature.length >= 32, `a token's signature has ${8 * signature.length} bits`);
  });
}

async function tryReading({ report }: Ground, site: Site, ada: Person): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site));
  const on = await routeGround(site, ada);
  await report.try("G2", "GET, HEAD and OPTIONS on every path", async (trial) => {
    const before = await databaseDump(site);
    for (const route of routes) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const { status } = await site.send({ method, path: on.path(route), token: on.token(route) });
        trial.expect(status < 500, () => `${method} ${route.path}: ${status}`);
      }
    }
    for (const path of ["/verify-email", "/reset-password", "/confirm-email", "/undo-email", "/login", "/chat"]) {
      for (const method of ["GET", "HEAD"]) await site.send({ method, path: `${path}?key=abc&email=a@example.org` });
      trial.count(2);
    }
    const changed = changedTables(before, await databaseDump(site));
    trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
  });
}

const INSIDE =
  /\bat \w+ \(|node_modules|node:internal|\/(?:work|home|tmp|root)\/|SQLITE|sqlite|postgres|select .* from|insert into|ECONN|stack|ZodError|FST_/i;

async function tryErrors({ report }: Ground, site: Site, ada: Person): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site));
  const token = await newToken(site, ada);
  const canary = "echo-canary-71<script>";
  await report.try("G7", "refusals of every route: nothing of the inside, no echo", async (trial) => {
    const all = routes.flatMap((route) => [
      { method: route.method, path: filled(route.path, encodeURIComponent(canary)), token, body: { [canary]: canary } },
      { method: route.method, path: filled(route.path, "x"), token, body: `{"a": ${canary}` },
      { method: route.method, path: filled(route.path, "x"), body: `"${canary}"` },
      {
        method: route.method,
        path: filled(route.path, "x"),
        token,
        body: canary,
        headers: { "content-type": canary.slice(0, 14) },
      },
      {
        method: route.method,
        path: `${filled(route.path, "x")}?limit=${canary.slice(0, 14)}&from=${canary.slice(0, 14)}`,
        token,
      },
    ]);
    await inBatches(
      all.filter(({ path, method }) => !(path.endsWith("/logout") && method === "POST")),
      async (sending) => {
        const { method, body: _, ...rest } = sending;
        const { status, text, headers } = await site.send(method === "GET" ? { method, ...rest } : sending);
        if (status < 400) return trial.count(1);
        const isJson = /^application\/problem\+json; charset=utf-8$/.test(headers["content-type"] ?? "");
        const held = isJson && !INSIDE.test(text) && !text.includes("echo-canary");
        trial.expect(held, () => `${method} ${sending.path}: ${status} ${text}`);
      },
    );
  });
}
