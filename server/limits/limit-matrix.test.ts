import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import { newOwnerFor, type Owner } from "../../testing/accounts/route-owner.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { pathFor, routeOf, routeRows } from "../../testing/http/route-rows.ts";
import { GOOGLE_CLIENT_ID, type KeyServer, startKeyServer } from "../../testing/servers/key-server.ts";
import { newId } from "../database/new-id.ts";

let keyServer: KeyServer;
let app: TestApp;
const clock = new TestClock();
beforeAll(async () => {
  keyServer = await startKeyServer();
  const google = { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: keyServer.url };
  app = await startTestApp({ clock, demoPause: async () => undefined, env: { RATE_LIMITS: "on", ...google } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await keyServer[Symbol.asyncDispose]();
});

/** Routes without a limit, with the reason. */
const unlimited: Record<string, string> = {
  [`POST ${accountPaths.logout}`]: "a session calls it once: it ends with it",
};

const writing = Object.entries(routeRows)
  .map(([name, row]) => ({ name, ...row, ...routeOf(name) }))
  .filter(({ name, method }) => method !== "GET" && !(name in unlimited));

it("K2 the matrix contains every writing route", () => {
  const served = app.routes
    .filter(({ method, url }) => !["GET", "HEAD", "OPTIONS"].includes(method) && url !== "*")
    .map(({ method, url }) => `${method} ${url.slice(API_BASE.length)}`);
  expect(served.sort()).toEqual([...writing.map(({ name }) => name), ...Object.keys(unlimited)].sort());
});

describe("K2 limits of writing routes", () => {
  it.each(writing)("$name has a limit", async ({ method, path, ...row }) => {
    const { body, role, proof } = row;
    const { database } = app.context;
    await database.deleteFrom("limits").execute();
    const own = await newOwnerFor(app, { role });
    if (proof) await prove(own);
    await database.deleteFrom("limits").execute();
    const { user, password } = own;
    // An unknown session: the first call would end the calling one.
    const ids = { ...own.ids, session: newId() };
    const url = pathFor(row, path, ids);
    const fitting = body?.({ username: user.username, email: user.email, password }, ids);
    const call = async (sent: unknown) => {
      const leaving = new AbortController();
      const token = role === "open" ? {} : { token: own.token };
      const { status, headers } = await app.call(method, url, { ...token, body: sent, signal: leaving.signal });
      leaving.abort();
      return { status, waitSeconds: Number(headers.get("retry-after")) };
    };
    // A body that the schema refuses shows which limits count before the body is read: some calls cannot be made twice.
    await call(body === undefined ? undefined : {});
    await fillLimits();
    const first = await call(fitting);
    if (first.status !== 429) await fillLimits();
    const last = first.status === 429 ? first : await call(fitting);
    expect(last.status).toBe(429);
    expect(last.waitSeconds).toBeGreaterThan(0);
  });
});

/** Lists whose bound is not a number in the schema, with the bound. */
const boundedOtherwise: [list: RegExp, bound: string][] = [
  [/ \/chat.* messages$/, "what a chat may hold"],
  [/alternatives$/, "what a chat may hold"],
  [/seams$/, "one for each continuation, each counted as a reply"],
  [/^GET \/folders$/, "FOLDERS_MAX, when one is made"],
  [/^GET \/presets$/, "PRESETS_MAX, when one is made"],
  [/^GET \/auth\/sessions$/, "100 of browsers and 100 of programs, when one begins"],
  [
    /^(GET|PATCH) \/admin\/settings (registrationDomains|trustedNetworks)\.(value|default)$/,
    "the operator's configuration",
  ],
  [/^GET \/models( \[\]\.models)?$/, "the operator's configuration"],
  [/^GET \/admin\/groups choices(\[\]\.models)?$/, "the operator's configuration"],
  [/^GET \/usage months\[\]\.models$/, "the operator's configuration, over the months asked for"],
  [/^GET \/search hits\[\](\.file)?\.marks$/, "the length of a snippet, or of a name"],
  [/^POST \/import problems$/, "one for each chat, folder and preset of the request"],
  [/^POST \/temporary\/reply messages$/, "the size of a body"],
];

type Schema = { type?: string; maxItems?: number; prefixItems?: Schema[]; [keyword: string]: unknown };

/** Returns the paths of a schema's arrays without `maxItems`. */
function unboundedIn(schema: Schema, at: string): string[] {
  const { items, properties, anyOf, allOf, oneOf, additionalProperties } = schema;
  const isOpenList = schema.type === "array" && schema.maxItems === undefined && schema.prefixItems === undefined;
  const inside = (part: unknown, name: string) => (part ? unboundedIn(part as Schema, name) : []);
  return [
    ...(isOpenList ? [at.trim()] : []),
    ...inside(items, `${at}[]`),
    ...inside(additionalProperties, `${at}{}`),
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => inside(part, `${at}${at === "" ? "" : "."}${name}`)),
    ...[anyOf, allOf, oneOf].flatMap((parts) => ((parts as Schema[]) ?? []).flatMap((part) => inside(part, at))),
  ];
}

it("K2 every list in a request or response has a bound", async () => {
  type Content = { content?: { "application/json"?: { schema: Schema } } };
  type Operation = { requestBody?: Content; responses?: Record<string, Content> };
  const description = (await (await app.call("GET", "/docs/json")).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const found = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses = {} }]) =>
      [requestBody, ...Object.values(responses)].flatMap((body) => {
        const schema = body?.content?.["application/json"]?.schema;
        const name = `${method.toUpperCase()} ${path.slice(API_BASE.length)}`;
        return schema ? unboundedIn(schema, "").map((at) => `${name} ${at}`.trim()) : [];
      }),
    ),
  );
  const bounds = boundedOtherwise.map(([list]) => list);
  expect(found.filter((list) => !bounds.some((bound) => bound.test(list)))).toEqual([]);
  expect(bounds.filter((bound) => !found.some((list) => bound.test(list)))).toEqual([]);
});

async function prove({ user }: Owner): Promise<void> {
  const sessions = app.context.database.updateTable("sessions").where("user_id", "=", user.id);
  await sessions.set({ proved_at: clock.now() }).execute();
}

/** Uses up every limit that has counted something. */
async function fillLimits(): Promise<void> {
  const full = { count: 1_000_000, resets_at: clock.now() + MINUTE };
  await app.context.database.updateTable("limits").set(full).execute();
}
