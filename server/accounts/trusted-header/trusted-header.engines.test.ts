import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { problemSchema } from "#contract/problem.ts";
import { mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { insertTestGroup } from "../../../testing/accounts/groups.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";

const PROXY = {
  TRUST_PROXY: "127.0.0.1, fd00::/64",
  TRUSTED_HEADER: "X-Remote-User",
  TRUSTED_HEADER_EMAIL: "X-Remote-Email",
  TRUSTED_HEADER_NAME: "X-Remote-Name",
  TRUSTED_HEADER_GROUPS: "X-Remote-Groups",
};
const AUTHORITATIVE = { TRUSTED_HEADER_EMAIL_AUTHORITATIVE: "true" };

type Sent = { headers?: Record<string, string | string[]>; from?: string; path?: string; body?: object };

/** Posts a sign-in as a proxy at an address of this machine, with lines of headers as they stand. */
function post(
  app: TestApp,
  { headers = {}, from = "127.0.0.1", path = accountPaths.ssoHeader, body = {} }: Sent,
): Promise<{ status: number; json: unknown }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${app.url}${API_BASE}${path}`, {
      method: "POST",
      localAddress: from,
      headers: { "content-type": "application/json", ...headers },
    });
    outgoing.on("error", reject).on("response", async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, json: text === "" ? null : JSON.parse(text) });
    });
    // As bytes: Node would send the headers in UTF-8 together with a text.
    outgoing.end(Buffer.from(JSON.stringify(body)));
  });
}

let people = 0;

/** Headers of a person whom no other test names. */
function personOf(given: Record<string, string> = {}) {
  const name = `remote${++people}`;
  return {
    "x-remote-user": name,
    "x-remote-email": `${name}@example.org`,
    "x-remote-name": "Ada Lovelace",
    ...given,
  };
}

async function userOf(app: TestApp, headers: Record<string, string>) {
  const { status, json } = await post(app, { headers });
  expect([status, json]).toEqual([200, json]);
  return signedInSchema.parse(json).user;
}

async function refusalOf(app: TestApp, sent: Sent) {
  const { status, json } = await post(app, sent);
  return [status, problemSchema.parse(json).code];
}

const refused = [400, "bad-sso-answer"];

const app = disposeAfterAll(await startTestApp({ env: { ...PROXY, ...AUTHORITATIVE } }));

describe("sign-in by a trusted header", () => {
  it("the person whom the proxy names gets an account, which later requests find by the header's value", async () => {
    const headers = personOf();
    const { id, email, firstname } = await userOf(app, headers);
    expect([email, firstname]).toEqual([headers["x-remote-email"], "Ada"]);
    expect((await userOf(app, { ...headers, "x-remote-email": "moved@example.org" })).id).toBe(id);
    expect((await userOf(app, { "x-remote-user": headers["x-remote-user"] })).id).toBe(id);
    const other = personOf({ "x-remote-user": headers["x-remote-user"].toUpperCase() });
    expect((await userOf(app, other)).id).not.toBe(id);
    const identities = app.context.database.selectFrom("external_identities").selectAll();
    expect(await identities.where("user_id", "=", id).execute()).toMatchObject([
      { issuer: "header:x-remote-user", subject: headers["x-remote-user"] },
    ]);
  });

  it("the sign-in page offers the header, and its session counts as a recent proof", async () => {
    await using named = await startTestApp({ env: { ...PROXY, ...AUTHORITATIVE, TRUSTED_HEADER_LABEL: "Gateway" } });
    const config = await (await named.call("GET", accountPaths.authConfig)).json();
    expect(config).toMatchObject({ identityProviders: [{ slug: "header", name: "Gateway", kind: "header" }] });
    const { json } = await post(named, { headers: personOf() });
    const { access_token: token } = signedInSchema.parse(json);
    const body = { username: `Renamed${people}` };
    expect((await named.call("POST", accountPaths.username, { token, body })).status).toBe(200);
  });

  it("a signed-in person connects the identity that the proxy names, with a recent proof", async () => {
    const headers = personOf();
    const { token, user, password } = await signUp(app);
    const connect = () =>
      post(app, {
        path: accountPaths.identities,
        body: { header: true },
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
    expect((await connect()).status).toBe(403);
    await app.call("POST", accountPaths.proof, { token, body: { password } });
    expect((await connect()).status).toBe(204);
    expect((await userOf(app, headers)).id).toBe(user.id);
  });

  it("reads names in UTF-8, as proxies send them", async () => {
    const headers = personOf({ "x-remote-name": Buffer.from("Søren Ångström").toString("latin1") });
    expect(await userOf(app, headers)).toMatchObject({ firstname: "Soren", lastname: "Angstrom" });
  });

  it("refuses the header from every other address, whatever forwarding headers say", async () => {
    const known = personOf();
    await userOf(app, known);
    for (const headers of [
      known,
      { ...known, "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" },
      { ...known, forwarded: "for=127.0.0.1" },
    ]) {
      expect(await refusalOf(app, { headers, from: "127.0.0.2" })).toEqual(refused);
    }
    await using elsewhere = await startTestApp({ env: { ...PROXY, TRUST_PROXY: "192.0.2.1" } });
    const headers = { ...personOf(), "x-forwarded-for": "192.0.2.1" };
    expect(await refusalOf(elsewhere, { headers })).toEqual(refused);
    expect(elsewhere.logLines.join()).toContain("a sign-in by header was refused");
  });

  it("refuses a header that is missing, empty, too long, not text, or has several values", async () => {
    const known = personOf();
    await userOf(app, known);
    const name = known["x-remote-user"];
    for (const headers of [
      {},
      { "x-remote-email": known["x-remote-email"] },
      { ...known, "x-remote-user": "" },
      { ...known, "x-remote-user": "  " },
      { ...known, "x-remote-user": "x".repeat(255) },
      { ...known, "x-remote-user": "\xff" },
      { ...known, "x-remote-user": ["evil", name] },
      { ...known, "x-remote-user": [name, name] },
      { ...known, "x-remote-email": ["evil@example.org", known["x-remote-email"]] },
      { "x-remote-user_": name, x_remote_user: name },
    ]) {
      expect(await refusalOf(app, { headers }), JSON.stringify(headers)).toEqual(refused);
    }
    // A proxy that joins values names another person, never one of them.
    const joined = await post(app, { headers: { ...known, "x-remote-user": `evil, ${name}` } });
    expect(joined.status).toBe(409);
  });

  it("a sign-in by header is not found where no header is set", async () => {
    await using plain = await startTestApp({ env: { TRUST_PROXY: "127.0.0.1" } });
    expect(await refusalOf(plain, { headers: personOf() })).toEqual([404, "not-found"]);
  });
});

it("the address of a header is verified by our mail, unless the operator trusts it", async () => {
  await using app = await startTestApp({ env: PROXY });
  const headers = personOf();
  const email = headers["x-remote-email"];
  expect(await refusalOf(app, { headers })).toEqual([403, "email-unverified"]);
  const key = await mailedKey(app, email);
  expect((await app.call("POST", accountPaths.verify, { body: { key } })).status).toBe(200);
  expect((await userOf(app, headers)).email).toBe(email);
  const other = personOf();
  await signUp(app, { email: other["x-remote-email"] });
  expect(await refusalOf(app, { headers: other })).toEqual([403, "email-unverified"]);
  expect(await subjectsTo(app, other["x-remote-email"])).toEqual([expect.stringContaining("already have an account")]);
  expect(await refusalOf(app, { headers: { "x-remote-user": "new" } })).toEqual([403, "sso-no-address"]);
});

it("the groups of a header give group and role by the first rule that matches, at each sign-in", async () => {
  const env = {
    TRUSTED_HEADER_GROUP_RULES: "staff -> Teachers; * -> Guests",
    TRUSTED_HEADER_ROLE_RULES: "heads -> administrator; * -> person",
  };
  await using app = await startTestApp({ env: { ...PROXY, ...AUTHORITATIVE, ...env } });
  await signUp(app);
  const teachers = await insertTestGroup(app, { name: "Teachers", name_key: "teachers" });
  const guests = await insertTestGroup(app, { name: "Guests", name_key: "guests" });
  const person = personOf();
  const after = async (groups: string | undefined) => {
    const { id } = await userOf(app, { ...person, ...(groups !== undefined && { "x-remote-groups": groups }) });
    const row = app.context.database.selectFrom("users").select(["group_id", "role"]).where("id", "=", id);
    return Object.values(await row.executeTakeFirstOrThrow());
  };
  expect(await after("pupils , staff,,heads")).toEqual([teachers, "administrator"]);
  expect(await after("Staff")).toEqual([guests, "person"]);
  expect(await after("staff")).toEqual([teachers, "person"]);
  expect(await after(undefined)).toEqual([guests, "person"]);
});
