import { createHmac, randomBytes } from "node:crypto";
import type { SignedIn } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { ANTI_FORGERY_COOKIE, ANTI_FORGERY_HEADER, API_BASE } from "#contract/http.ts";
import { deriveKey } from "../../server/config/secret-key.ts";
import { jsonOf, type OutgoingRequest } from "../../testing/http/send.ts";
import { Browser } from "../clients/browser.ts";
import { changedTables, databaseDump } from "../clients/database-dump.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import { type ApiRoute, answeringRoutes, describedRoutes, exampleOf } from "../routes/api-routes.ts";
import { routeHarness } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";
import { ownPaths } from "./ids-of-person.ts";

const SECRET_KEY = "Tq4vXh9LmZ2bRk7sWf1cGy8pJd5nEa3U";
/** The only route that reads a form. */
const FORM = API_BASE + accountPaths.ssoLogout("{provider}");
/** Paths of the routes whose bodies may have bytes of files. */
const BYTES: readonly string[] = [filePaths.file("{id}"), conversationPaths.temporaryReply].map(
  (path) => `${API_BASE}${path}`,
);
const DAY_MS = 24 * 60 * 60 * 1000;

/** G1, G3, G4, F11: cross-site requests, and cross-origin reads. */
export const forgery: Suite = {
  name: "forgery",
  async run(harness) {
    await using site = await harness.startSite({ hasGoogle: true, env: { SECRET_KEY } });
    const [ada, eve] = [await signUp(site), await signUp(site)];
    const calls = await changes(site, ada);
    await tryForgedRequests(harness, site, { ada, eve, calls });
    await tryForeignSites(harness, site, { ada, calls });
    await tryContentTypes(harness, site, { ada, calls });
    await trySharing(harness, site, ada);
  },
};

type Change = { route: ApiRoute; sending: OutgoingRequest };
type Changes = { ada: Person; calls: readonly Change[] };

/** Cookies of a browser with another anti-forgery token. */
const withCookie = ({ cookies }: Browser, antiForgery: string) =>
  [...new Map([...cookies, [ANTI_FORGERY_COOKIE, antiForgery]])].map((pair) => pair.join("=")).join("; ");

/** Returns a signed-in browser. */
async function signedInBrowser(
  site: Site,
  { username, password }: Person,
): Promise<{ browser: Browser; token: string }> {
  const browser = new Browser(site);
  await browser.open();
  const answer = await browser.send({
    method: "POST",
    path: API_BASE + accountPaths.login,
    body: { username, password },
  });
  return { browser, token: jsonOf<SignedIn>(answer).access_token };
}

/** Valid calls of every writing route with the account's own ids. */
async function changes(site: Site, person: Person): Promise<Change[]> {
  const pathOf = await ownPaths(site, person);
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ method }) => method !== "GET");
  return routes.map((route) => ({
    route,
    sending: {
      method: route.method,
      path: pathOf(route),
      ...(route.body && { body: exampleOf(route.body) }),
    },
  }));
}

async function tryForgedRequests(
  { report }: Harness,
  site: Site,
  { ada, eve, calls }: Changes & { eve: Person },
): Promise<void> {
  const { browser, token } = await signedInBrowser(site, ada);
  const { browser: other } = await signedInBrowser(site, eve);
  const anonymous = new Browser(site);
  await anonymous.open();
  const key = deriveKey(SECRET_KEY, "anti-forgery");
  const sessionId = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sid;
  const signed = (owner: string, content: string, secret: Uint8Array = key) =>
    `${content}.${createHmac("sha256", secret).update(`${owner}\n${content}`).digest("base64url")}`;
  const random = randomBytes(16).toString("base64url");
  const expired = signed(`session ${sessionId}`, `${random}.${Date.now() - 1}`);
  const made = `${random}.${Date.now() + DAY_MS}.${randomBytes(32).toString("base64url")}`;
  const wrongKey = signed(`session ${sessionId}`, `${random}.${Date.now() + DAY_MS}`, randomBytes(32));
  const pair = (value: string) => ({ cookie: `XSRF-TOKEN=${value}`, [ANTI_FORGERY_HEADER]: value });
  const none = { [ANTI_FORGERY_HEADER]: [] as string[] };
  const forged: Record<string, Record<string, string | string[]>> = {
    "no header": none,
    "an empty header": { [ANTI_FORGERY_HEADER]: "" },
    "a wrong header": { [ANTI_FORGERY_HEADER]: made },
    "an empty pair": { ...pair(""), cookie: withCookie(browser, "") },
    "a header with one extra character": { [ANTI_FORGERY_HEADER]: `${browser.antiForgery}x` },
    "a header without its cookie": { cookie: "" },
    "an expired pair": pair(expired),
    "another session's pair": pair(other.antiForgery),
    "a visitor's pair": { ...pair(anonymous.antiForgery), cookie: anonymous.cookieHeader },
    "a random equal pair": pair(made),
    "a pair signed with another key": pair(wrongKey),
    "a pair that never expires": pair(signed(`session ${sessionId}`, `${random}.Infinity`, randomBytes(32))),
    "two headers": { [ANTI_FORGERY_HEADER]: [browser.antiForgery, browser.antiForgery] },
    "only Sec-Fetch-Site": { ...none, origin: [] },
    "only Origin": { ...none, "sec-fetch-site": [] },
  };
  await report.try(
    "G1",
    "requests of a browser without the right token, on every route that changes",
    async (trial) => {
      const all = calls.flatMap(({ route, sending }) =>
        [...Object.entries(forged), ["the header in the query", none] as const].map(([name, headers]) => ({
          route,
          name,
          sending: {
            ...sending,
            path: name.endsWith("query")
              ? `${sending.path}?${ANTI_FORGERY_HEADER}=${browser.antiForgery}`
              : sending.path,
            token,
            headers: without({ ...browser.headers(), ...headers }),
          },
        })),
      );
      const before = await databaseDump(site);
      await inBatches(all, async ({ route, name, sending }) => {
        const { status, text } = await site.send(sending);
        const held = status === 403 && JSON.parse(text).code === "csrf";
        trial.expect(held, () => `${route.method} ${route.path} with ${name}: ${status} ${text}`);
      });
      const changed = changedTables(before, await databaseDump(site));
      trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
      const path = API_BASE + conversationPaths.chats;
      const { status } = await browser.send({ method: "POST", path, token, body: {} });
      trial.expect(status === 201, `the right token answered ${status}`);
      const program = await site.send({ method: "POST", path, token, body: {} });
      trial.expect(program.status === 201, `a program answered ${program.status}`);
    },
  );
}

/** Removes headers with an empty list. */
const without = (headers: Record<string, string | string[]>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => !Array.isArray(value) || value.length > 0));

async function tryForeignSites({ report }: Harness, site: Site, { ada, calls }: Changes): Promise<void> {
  const { browser, token } = await signedInBrowser(site, ada);
  const foreign: Record<string, string>[] = [
    ...["cross-site", "same-site"].map((value) => ({ "sec-fetch-site": value })),
    ...foreignOrigins(site.url).map((origin) => ({ origin, "sec-fetch-site": "same-origin" })),
  ];
  await report.try(
    "G3",
    "requests from other sites with the right token, on every route that changes",
    async (trial) => {
      const all = calls.flatMap(({ sending }) =>
        foreign.map((headers) => ({ ...sending, token, headers: { ...browser.headers(), ...headers } })),
      );
      await inBatches(all, async (sending) => {
        const { status } = await site.send(sending);
        trial.expect(status === 403, () => `${JSON.stringify(sending).slice(0, 300)} answered ${status}`);
      });
    },
  );
  await report.try("F11", "a Google id_token from another site", async (trial) => {
    const page = new Browser(site);
    const { googleNonce } = jsonOf<{ googleNonce: string }>(await page.open());
    for (const headers of foreign) {
      const id_token = await site.keys.issueIdToken({ nonce: googleNonce });
      const path = API_BASE + accountPaths.google;
      const { status } = await page.send({ method: "POST", path, body: { id_token }, headers });
      trial.expect(status === 403, () => `${JSON.stringify(headers)} answered ${status}`);
    }
  });
}

function foreignOrigins(url: string): string[] {
  const { port } = new URL(url);
  return [
    "https://attacker.example",
    "http://attacker.example",
    "null",
    "",
    "file://",
    "chrome-extension://abcdefgh",
    `http://127.0.0.1.attacker.example:${port}`,
    `http://attacker.example.:${port}`,
    `http://127.0.0.1@attacker.example:${port}`,
    `http://attacker.example#http://127.0.0.1:${port}`,
    `http://attacker.example/127.0.0.1`,
    "http://localhost.attacker.example",
    "http://xlocalhost",
    "http://127.0.0.1x",
    "http://0x7f.1.attacker.example",
    `${url}/`,
    `${url}/chat`,
    `${url} https://attacker.example`,
    `${url}.attacker.example`,
  ];
}

async function tryContentTypes({ report }: Harness, site: Site, { ada, calls }: Changes): Promise<void> {
  const types = [
    "text/plain",
    "text/plain; charset=application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    `multipart/form-data; boundary=${"x".repeat(10_000)}`,
    "multipart/form-data",
    "text/html",
    "application/xml",
    "application/octet-stream",
    "application/jsonx",
    "text/json",
    "x",
  ];
  await report.try("G3", "JSON in bodies of other types, on every route that changes", async (trial) => {
    const token = await newToken(site, ada);
    const before = await databaseDump(site);
    // Sequential for each route, because an account may run one import at a time.
    await inBatches(calls, async ({ route, sending }) => {
      for (const type of types) {
        // The bytes of files have this type.
        if (type === "application/octet-stream" && BYTES.includes(route.path)) continue;
        // The form of OpenID Connect Back-Channel Logout, which only a provider can sign.
        if (type === "application/x-www-form-urlencoded" && route.path === FORM) continue;
        const headers = { "content-type": type };
        const { status, text } = await site.send({ body: {}, ...sending, token, headers });
        const held = status === 415 && JSON.parse(text).code === "unsupported-media-type";
        trial.expect(held, () => `${route.method} ${route.path} as ${type.slice(0, 50)}: ${status} ${text}`);
      }
    });
    const changed = changedTables(before, await databaseDump(site));
    trial.expect(changed.length === 0, () => `the database has changed: ${changed.join(", ")}`);
  });
}

async function trySharing({ report }: Harness, site: Site, ada: Person): Promise<void> {
  await report.try("G4", "answers to other origins, and preflights", async (trial) => {
    const routes = answeringRoutes(await describedRoutes(site));
    const on = await routeHarness(site, ada);
    const own = [site.url, "http://127.0.0.1:3000", "http://localhost:3000"];
    const all = routes.flatMap((route) => [...own, ...foreignOrigins(site.url)].map((origin) => ({ route, origin })));
    await inBatches(all, async ({ route, origin }) => {
      const path = on.path(route);
      const preflight = {
        "access-control-request-method": route.method,
        "access-control-request-headers": "authorization",
      };
      const asked = await site.send({ method: "OPTIONS", path, headers: { origin, ...preflight } });
      const answer = route.method === "GET" ? await site.send({ path, token: ada.token, headers: { origin } }) : asked;
      const shared = [...asked.headerNames, ...answer.headerNames].filter((name) => name.startsWith("access-control-"));
      trial.expect(
        shared.length === 0 && asked.status >= 400,
        () => `${route.path} for ${origin}: ${asked.status} ${shared}`,
      );
    });
  });
}
