import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { SETUP_PATH } from "#contract/administration/setup.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { ownServerPaths } from "#contract/mcp/own-servers.ts";
import { toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import type { OutgoingRequest } from "../../testing/http/send.ts";
import { malformedCredentials } from "../attacks/credentials.ts";
import { changedTables, databaseDump, databaseRows } from "../clients/database-dump.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import { type ApiRoute, answeringRoutes, describedRoutes, exampleOf, filled } from "../routes/api-routes.ts";
import { newChat, routeHarness } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { ownPaths } from "./ids-of-person.ts";

/** Routes that need no session. */
const OPEN = new Set([
  `GET ${API_BASE}${accountPaths.authConfig}`,
  `POST ${API_BASE}${accountPaths.register}`,
  `POST ${API_BASE}${accountPaths.verify}`,
  `POST ${API_BASE}${accountPaths.mailedKey}`,
  `POST ${API_BASE}${accountPaths.invitation}`,
  `POST ${API_BASE}${accountPaths.classCode}`,
  `POST ${API_BASE}${accountPaths.resendVerification}`,
  `POST ${API_BASE}${accountPaths.login}`,
  `POST ${API_BASE}${accountPaths.google}`,
  `POST ${API_BASE}${accountPaths.passkeySignIn}`,
  `POST ${API_BASE}${accountPaths.passkeyChallenge}`,
  `POST ${API_BASE}${accountPaths.ssoAttempts}`,
  `POST ${API_BASE}${accountPaths.sso}`,
  `POST ${API_BASE}${accountPaths.ssoDirectory}`,
  `POST ${API_BASE}${accountPaths.ssoHeader}`,
  `POST ${API_BASE}${accountPaths.ssoLogout("{provider}")}`,
  `POST ${API_BASE}${accountPaths.secondStep}`,
  `POST ${API_BASE}${accountPaths.secondStepEnrolment}`,
  `POST ${API_BASE}${accountPaths.secondStepSetUp}`,
  `POST ${API_BASE}${accountPaths.secondStepLoss}`,
  `POST ${API_BASE}${accountPaths.secondFactorLoss}`,
  `POST ${API_BASE}${accountPaths.secondFactorKeep}`,
  `POST ${API_BASE}${accountPaths.forgotPassword}`,
  `POST ${API_BASE}${accountPaths.resetPassword}`,
  `POST ${API_BASE}${accountPaths.confirmEmail}`,
  `POST ${API_BASE}${accountPaths.undoEmail}`,
  `GET ${API_BASE}${toolSignInPaths.client}`,
  `GET ${API_BASE}${sharePaths.sharedPage("{token}")}`,
  `GET ${API_BASE}${sharePaths.sharedFile("{token}", "{position}")}`,
]);

/**
 * H3, H4, G2, G7, J4: requests that are refused before a database read, on every route of the OpenAPI description.
 * Objects of other accounts (H1, H2) are tested in `server/http/route-matrix.test.ts`.
 */
export const authorisation: Suite = {
  name: "authorisation",
  async run(harness) {
    const databases =
      harness.hasPostgres && !harness.isShort ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
    for (const database of databases) {
      await using site = await harness.startSite({ hasGoogle: true, database });
      const ada = await signUp(site);
      await tryWithoutToken(harness, site, ada);
      await tryIds(harness, site, ada);
      await tryReading(harness, site);
      // A separate account, because one of the calls ends all other sessions.
      await tryErrors(harness, site, await signUp(site));
      await tryNoObjects(harness, site, ada);
    }
  },
};

async function tryWithoutToken({ report }: Harness, site: Site, ada: Person): Promise<void> {
  const routes = await describedRoutes(site);
  const pathOf = await ownPaths(site, ada);
  const before = await databaseDump(site);
  await report.try("H3", "every route without a token, or with one in another place", async (trial) => {
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      trial.expect(OPEN.has(name) === route.isOpen, () => `${name} is ${route.isOpen ? "open" : "closed"}`);
    }
    const closed = routes.filter(({ isOpen }) => !isOpen);
    await inBatches(closed, async (route) => {
      const { method, path, body } = route;
      for (const token of [undefined, "a.b.c"]) {
        const sending = {
          method,
          path: pathOf(route),
          ...(body && { body: exampleOf(body) }),
          ...(token && { token }),
        };
        const { status, text } = await site.send(sending);
        const held = status === 401 && JSON.parse(text).code === "not-signed-in";
        trial.expect(held, () => `${method} ${path} with ${token}: ${status} ${text.slice(0, 80)}`);
      }
    });
    const all = closed.flatMap((route) => disguises(route, pathOf(route), ada.token));
    await inBatches(all, async (sending) => {
      const { status, text } = await site.send({ ...sending, isAlone: true });
      const isPublic = /^(<!doctype html>|\{"productName")/.test(text);
      const isRefused = [400, 401, 404, 405].includes(status) || (status === 200 && isPublic);
      const isSilent = !text.includes(ada.email) && !text.includes(ada.user.id);
      trial.expect(isRefused && isSilent, () => `${JSON.stringify(sending)}: ${status} ${text.slice(0, 80)}`);
    });
    const changed = changedTables(before, await databaseDump(site));
    trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
  });
}

/** The same request without a session, with alternative spellings of its path. */
function disguises({ method }: ApiRoute, path: string, token: string): OutgoingRequest[] {
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
    path.replaceAll("/", "//"),
    path.toUpperCase(),
    `${API_BASE}${accountPaths.authConfig}/../..${rest}`,
    `${API_BASE}${accountPaths.authConfig}/..%2f../${rest.slice(1)}`,
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
    ...overrides.map((name) => ({ method: "GET", path, headers: { [name]: method } })),
    ...originals.map((name) => ({ method, path: `${API_BASE}${accountPaths.authConfig}`, headers: { [name]: path } })),
    ...originals.map((name) => ({ method: "GET", path, headers: { [name]: path } })),
    ...malformedCredentials(token)
      .slice(0, 3)
      .map((authorization) => ({ method, path, headers: { authorization } })),
    { method, path, headers: { cookie: `token=${token}; access_token=${token}` } },
    { method, path, headers: { "x-api-key": token, "x-user-id": "1", "x-forwarded-user": "ada" } },
  ] as OutgoingRequest[];
}

async function tryIds({ report }: Harness, site: Site, ada: Person): Promise<void> {
  await report.try("H4", "ids in place of tokens and keys, and the entropy of tokens and keys", async (trial) => {
    const chat = await newChat(site, ada);
    const session = JSON.parse(Buffer.from(ada.token.split(".")[1] ?? "", "base64url").toString()).sid;
    const { email_keys = [], mails = [] } = await databaseRows(site);
    const ids = [ada.user.id, chat, session, ...[...email_keys, ...mails].map(({ id }) => String(id))];
    for (const id of ids) {
      const asToken = await site.send({ path: API_BASE + accountPaths.me, token: id });
      trial.expect(asToken.status === 401, () => `${id} as a token: ${asToken.status}`);
      for (const path of [
        accountPaths.verify,
        accountPaths.resetPassword,
        accountPaths.confirmEmail,
        accountPaths.undoEmail,
      ]) {
        const body = { key: id, password: "another password" };
        const { status } = await site.send({ method: "POST", path: API_BASE + path, body });
        trial.expect(status === 400, () => `${id} as a key for ${path}: ${status}`);
      }
    }
    const signature = Buffer.from(ada.token.split(".")[2] ?? "", "base64url");
    trial.expect(signature.length >= 32, `a token's signature has ${8 * signature.length} bits`);
  });
}

async function tryReading({ report }: Harness, site: Site): Promise<void> {
  await report.try("G2", "GET and HEAD of the pages that mails and bookmarks link to", async (trial) => {
    const before = await databaseDump(site);
    for (const path of ["/verify-email", "/reset-password", "/confirm-email", "/undo-email", "/login", "/chat"]) {
      for (const method of ["GET", "HEAD"]) {
        const { status } = await site.send({ method, path: `${path}?key=abc&email=a@example.org` });
        trial.expect(status === 200, () => `${method} ${path}: ${status}`);
      }
    }
    const changed = changedTables(before, await databaseDump(site));
    trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
  });
}

const INSIDE =
  /\bat \w+ \(|\.[jt]s:\d|node_modules|node:|\/server\/|\/(?:work|home|tmp|root)\/|SQLITE|sqlite|postgres|select .* from|insert into|ECONN|stack|ZodError|FST_/i;

async function tryErrors({ report }: Harness, site: Site, ada: Person): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site));
  const token = await newToken(site, ada);
  const canary = "echo-canary-71<script>";
  await report.try("G7", "refusals of every route: no internals, no echo", async (trial) => {
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

/** Invalid JSON, JSON that is no object, and objects for prototype pollution. */
const NO_OBJECTS = [
  ...["null", "[]", '"canary"', "1", "true", "{", "[", '{"canary"', "[".repeat(10_000), "\0canary"],
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{}}}',
];

async function tryNoObjects({ report }: Harness, site: Site, ada: Person): Promise<void> {
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ body }) => body);
  const on = await routeHarness(site, ada);
  const token = await newToken(site, ada);
  await report.try("J4", "bodies that are not objects, on every route that takes one", async (trial) => {
    const before = await databaseDump(site);
    // All fields of these bodies are optional, and null counts as an empty body.
    const withoutFields = [
      ...[conversationPaths.chats, administrationPaths.invitations, administrationPaths.account("{id}")],
      ...[administrationPaths.group("{id}"), administrationPaths.providerCheck("{name}")],
      ...[administrationPaths.settings, SETUP_PATH, accountPaths.me, administrationPaths.connection("{id}")],
      ...[administrationPaths.webSearchCheck, accountPaths.passkeyCreation],
      ...[administrationPaths.identityProvider("{id}"), accountPaths.ssoHeader],
      ...[administrationPaths.mcpServer("{id}"), ownServerPaths.server("{id}")],
    ];
    const isNone = (route: ApiRoute, body: string) =>
      withoutFields.some((path) => route.path === API_BASE + path) && body === "null";
    // Sequential for each route, because an account may run one import at a time.
    await inBatches(routes, async (route) => {
      for (const body of NO_OBJECTS.filter((one) => !isNone(route, one))) {
        const { method } = route;
        const { status, text, headers } = await site.send({ method, path: on.path(route), token, body });
        const isProblem = headers["content-type"] === "application/problem+json; charset=utf-8";
        const held = status === 400 && isProblem && ["invalid-input", "not-an-export"].includes(JSON.parse(text).code);
        const isSilent = !INSIDE.test(text) && !text.includes("canary");
        trial.expect(held && isSilent, () => `${method} ${route.path} with ${body.slice(0, 20)}: ${status} ${text}`);
      }
    });
    const changed = changedTables(before, await databaseDump(site));
    trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
  });
}
