import type { IncomingHttpHeaders } from "node:http";
import { API_BASE } from "#contract/http.ts";
import type { Answer } from "../../testing/http/send.ts";
import { signUp } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import { answeringRoutes, describedRoutes } from "../routes/api-routes.ts";
import { routeHarness } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const HSTS_SECONDS = 31_536_000;

const everywhere: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Content security policy of the application's documents, without the nonce of styles. */
const documentPolicy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data: blob:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "worker-src": "'self'",
  "frame-src": "'self'",
  "frame-ancestors": "'none'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "object-src": "'none'",
  "require-trusted-types-for": "'script'",
};
const google = "https://accounts.google.com/gsi/";
const withGoogle = {
  ...documentPolicy,
  "script-src": `'self' ${google}client`,
  "frame-src": `'self' ${google}`,
  "connect-src": `'self' ${google}`,
  "style-src": `'self' ${google}style`,
};

/** G5: headers of every kind of response, on http and https, with and without Google. */
export const headers: Suite = {
  name: "headers",
  async run(harness) {
    await using plain = await harness.startSite();
    await tryEverywhere(harness, plain, { scheme: "http", opener: "same-origin" });
    await tryDocuments(harness, plain, documentPolicy, "no-referrer");
    await using secure = await harness.startSite({ hasGoogle: true, env: { PUBLIC_URL: "https://chat.example.org" } });
    await tryEverywhere(harness, secure, { scheme: "https", opener: "same-origin-allow-popups" });
    await tryDocuments(harness, secure, withGoogle, "strict-origin");
    await tryCookies(harness, { plain, secure });
  },
};

/** Responses of every kind: routes, pages, files, refusals and unknown paths. */
async function answersOf(site: Site): Promise<[string, Answer][]> {
  const person = await signUp(site);
  const routes = answeringRoutes(await describedRoutes(site));
  const on = await routeHarness(site, person);
  const all: [string, Answer][] = [];
  const page = (await site.send({ path: "/" })).text;
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = "/"]) => file);
  for (const path of [
    "/",
    "/chat",
    "/login",
    ...files,
    "/sw.js",
    "/healthz",
    "/readyz",
    "/gone.js",
    "/%zz",
    "/api",
    "/api/gone",
  ]) {
    all.push([path, await site.send({ path })]);
  }
  for (const path of ["/api/docs", "/api/docs/json", "/sandbox/", "/sandbox/diagram"]) {
    all.push([path, await site.send({ path })]);
  }
  all.push(["PUT /api/auth/login", await site.send({ method: "PUT", path: "/api/auth/login" })]);
  for (const route of routes) {
    const { method } = route;
    const name = `${method} ${route.path}`;
    all.push([`${name}, nobody`, await site.send({ method, path: on.path(route) })]);
    all.push([
      name,
      await site.send({ method, path: on.path(route), token: on.token(route), ...(route.body && { body: {} }) }),
    ]);
  }
  return all;
}

type Expected = { scheme: string; opener: string };

async function tryEverywhere({ report }: Harness, site: Site, expected: Expected): Promise<void> {
  await report.try("G5", `headers of answers of every kind, on ${expected.scheme}`, async (trial) => {
    for (const [name, { headers: answered, status }] of await answersOf(site)) {
      const wrong = problemsOf(name, answered, expected, status);
      trial.expect(wrong.length === 0, () => `${name} (${status}): ${wrong.join(", ")}`);
    }
  });
}

function problemsOf(
  name: string,
  answered: IncomingHttpHeaders,
  { scheme, opener }: Expected,
  status: number,
): string[] {
  const wrong = isEmbedded(name, answered, status) ? [] : documentProblems(answered, opener);
  for (const [header, value] of Object.entries(everywhere)) {
    const isFrame = name.startsWith("/sandbox/") && header === "cross-origin-resource-policy";
    if (answered[header] !== value && !isFrame) wrong.push(`${header}: ${answered[header]}`);
  }
  for (const banner of ["server", "x-powered-by", "x-aspnet-version", "via"]) if (answered[banner]) wrong.push(banner);
  const hsts = Number(/max-age=(\d+)/.exec(String(answered["strict-transport-security"]))?.[1] ?? 0);
  if (scheme === "https" && hsts < HSTS_SECONDS) wrong.push(`HSTS ${hsts}`);
  if (scheme === "http" && answered["strict-transport-security"]) wrong.push("HSTS on http");
  if (!name.includes(API_BASE) || name.startsWith("/api/docs")) return wrong;
  if (!/\bno-store\b/.test(answered["cache-control"] ?? "")) wrong.push(`cache-control: ${answered["cache-control"]}`);
  if (answered["referrer-policy"] !== "no-referrer") wrong.push(`referrer-policy: ${answered["referrer-policy"]}`);
  const type = answered["content-type"] ?? "";
  const isStream = type.startsWith("text/event-stream");
  const isTable = name.includes("/csv") && type === "text/csv; charset=utf-8";
  if (status !== 204 && !isStream && !isTable && !/^application\/(problem\+)?json; charset=utf-8$/.test(type))
    wrong.push(type);
  return wrong;
}

/** Whether the answer is a script or a style of the page, to which no header of documents applies. */
const isEmbedded = (name: string, { "content-type": type = "" }: IncomingHttpHeaders, status: number) =>
  status === 200 && name !== "/sw.js" && /^(text|application)\/(javascript|css);/.test(type);

function documentProblems(answered: IncomingHttpHeaders, opener: string): string[] {
  const wrong: string[] = [];
  if (answered["cross-origin-opener-policy"] !== opener) wrong.push(`COOP ${answered["cross-origin-opener-policy"]}`);
  const permissions = String(answered["permissions-policy"]);
  for (const feature of ["camera", "microphone", "geolocation"]) {
    if (!permissions.includes(`${feature}=()`)) wrong.push(`permissions-policy: ${permissions}`);
  }
  if (!answered["content-security-policy"]) wrong.push("no content policy");
  return wrong;
}

async function tryDocuments(
  { report }: Harness,
  site: Site,
  expected: Record<string, string>,
  referrer: string,
): Promise<void> {
  const tried = referrer === "no-referrer" ? "without Google" : "with Google";
  await report.try("G5", `the content policy of documents, ${tried}`, async (trial) => {
    for (const path of [
      "/",
      "/chat",
      "/login",
      "/register",
      "/verify-email?key=a&email=b",
      "/no/such/page",
      "/healthz",
    ]) {
      const { headers: answered, text } = await site.send({ path });
      const policy = parsePolicy(String(answered["content-security-policy"]));
      comparePolicies(trial, path, policy, expected);
      trial.expect(answered["referrer-policy"] === referrer, () => `${path}: ${answered["referrer-policy"]}`);
      trial.expect(!/<script(?![^>]+\bsrc=)[^>]*>\s*\S/.test(text), () => `${path} has an inline script`);
      trial.expect(!/\son\w+=|javascript:/i.test(text), () => `${path} has an inline handler`);
    }
  });
}

function comparePolicies(
  trial: Trial,
  path: string,
  answered: Map<string, string>,
  expected: Record<string, string>,
): void {
  for (const [name, value] of Object.entries(expected)) {
    const own = (answered.get(name) ?? "").replace(/ 'nonce-[\w+/=-]+'/, "");
    trial.expect(own === value, () => `${path}: ${name} ${answered.get(name)}`);
  }
  const more = [...answered.keys()].filter((name) => !Object.hasOwn(expected, name) && name !== "trusted-types");
  trial.expect(more.length === 0, () => `${path}: also ${more.join(", ")}`);
}

const parsePolicy = (policy: string) =>
  new Map(
    policy.split(";").map((part): [string, string] => {
      const [name = "", ...values] = part.trim().split(/\s+/);
      return [name, values.join(" ")];
    }),
  );

async function tryCookies({ report }: Harness, { plain, secure }: { plain: Site; secure: Site }): Promise<void> {
  await report.try("G1", "cookies: names, flags and paths", async (trial) => {
    for (const [site, isSecure] of [
      [plain, false],
      [secure, true],
    ] as const) {
      const { username, password } = await signUp(site);
      const fromBrowser = { "sec-fetch-site": "same-origin" };
      const config = await site.send({ path: "/api/auth/config", headers: fromBrowser });
      const cookie = (config.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
      const [, token = ""] = /XSRF-TOKEN=([^;]+)/.exec(cookie) ?? [];
      const login = await site.send({
        method: "POST",
        path: "/api/auth/login",
        body: { username, password },
        headers: { ...fromBrowser, cookie, "x-xsrf-token": token },
      });
      trial.expect(login.status === 200, () => `sign-in answered ${login.status} ${login.text}`);
      for (const line of [config, login].flatMap((answer) => answer.headers["set-cookie"] ?? [])) {
        const isReadable = /^(__Host-)?XSRF-TOKEN=/.test(line);
        trial.expect(/; Path=\/(;|$)/.test(line) && /; SameSite=Lax/.test(line) && !/; Domain=/i.test(line), line);
        trial.expect(isSecure === (/; Secure/.test(line) && line.startsWith("__Host-")), line);
        trial.expect(isReadable !== /; HttpOnly/.test(line), line);
      }
    }
  });
}
