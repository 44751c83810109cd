import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authConfigSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { accountRoles } from "#contract/accounts/roles.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { insertTestGroup } from "../../../testing/accounts/groups.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { insertTestIdentity, OwnerOfProviders } from "../../../testing/administration/identity-providers.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { createSharedDatabase } from "../../../testing/servers/shared-database.ts";
import { newId } from "../../database/new-id.ts";

const SECRET = "client-secret-canary-0123456789";
const ISSUER = "https://login.example.org/realms/school";
const { identityProviders: LIST, identityProvider: pathOf } = administrationPaths;

let opened: AsyncDisposableStack;
let harness: TestHarness;
let app: TestApp;
let owner: TestAccount;
let providers: OwnerOfProviders;

const start = (more: Parameters<typeof startTestApp>[0] = {}) =>
  startTestApp({ harness, ...more, env: { RATE_LIMITS: "off", ...more.env } });

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  app = opened.use(await start());
  owner = await signUpAs(app, "owner");
  providers = new OwnerOfProviders(app, owner);
});
afterEach(() => opened[Symbol.asyncDispose]());

const school = () => ({ name: "The School", issuer: ISSUER, clientId: "parley", clientSecret: SECRET });

const call = (method: string, path: string, body?: object, { token } = owner, at = app) =>
  at.call(method, path, { token, ...(body && { body }) });

async function refusalOf(response: Response): Promise<unknown[]> {
  const { code, issues } = await problemOf(response);
  return [response.status, code, issues?.map(({ field, rule }) => `${field} ${rule}`)];
}

const auditOf = async (at = app) => {
  const rows = await at.context.database.selectFrom("audit_events").selectAll().orderBy("seq").execute();
  return rows.filter(({ kind }) => kind.startsWith("identity-provider-"));
};

/** Names on the sign-in page. */
async function offeredBy(at: TestApp): Promise<string[]> {
  const config = authConfigSchema.parse(await (await at.call("GET", accountPaths.authConfig)).json());
  return (config.identityProviders ?? []).map(({ slug }) => slug);
}

describe("identity providers that owners add", () => {
  it("the sign-in page offers an added provider at once, and its addresses contain its slug", async () => {
    const added = await providers.add(school());
    expect(added).toMatchObject({
      slug: "the-school",
      kind: "oidc",
      issuer: ISSUER,
      isFixed: false,
      isEnabled: true,
      identities: 0,
      client: { id: "parley", secretEnd: "6789", isUnreadable: false, scopes: "openid email profile" },
    });
    const { publicUrl } = app.context.config;
    expect(added.client?.redirectAddress).toBe(`${publicUrl}/sso/the-school`);
    expect(added.client?.logoutAddress).toBe(`${publicUrl}/api/auth/sso/logout/the-school`);
    expect(await offeredBy(app)).toEqual(["the-school"]);
    await providers.change("the-school", { isEnabled: false });
    expect(await offeredBy(app)).toEqual([]);
  });

  it("N6 a secret is never answered, recorded, logged or stored in plain text, and stays if a change leaves it out", async () => {
    await providers.add(school());
    const renamed = await providers.change("the-school", { name: "Our School" });
    expect(renamed).toMatchObject({ slug: "the-school", name: "Our School", client: { secretEnd: "6789" } });
    const rows = await app.context.database.selectFrom("identity_providers").selectAll().execute();
    const everything = [await providers.list(), rows, await auditOf(), app.logLines].map((each) =>
      JSON.stringify(each),
    );
    for (const text of everything) expect(text).not.toContain("client-secret-canary");
    expect(await providers.change("the-school", { clientSecret: null })).toMatchObject({ client: { secretEnd: null } });
    expect(await providers.change("the-school", { clientSecret: "short" })).toMatchObject({
      client: { secretEnd: "" },
    });
  });

  it("N6 a secret that was copied into another row does not open", async () => {
    await providers.add(school());
    await providers.add({ ...school(), name: "Thief", issuer: "https://thief.example.org", clientSecret: null });
    const { database } = app.context;
    const { secret_encrypted } = await database
      .selectFrom("identity_providers")
      .select("secret_encrypted")
      .where("slug", "=", "the-school")
      .executeTakeFirstOrThrow();
    await database.updateTable("identity_providers").set({ secret_encrypted }).where("slug", "=", "thief").execute();
    const list = await providers.list();
    expect(list.map(({ client }) => [client?.isUnreadable, client?.secretEnd])).toEqual([
      [false, "6789"],
      [true, ""],
    ]);
  });

  it("slugs are made of names, are never given twice, and are none of the environment's", async () => {
    const names = ["The School", "The school!", "oidc", "LDAP", "学校", "Ünïcode"];
    const slugs = [];
    for (const [at, name] of names.entries()) {
      slugs.push((await providers.add({ name, issuer: `${ISSUER}/${at}`, clientId: "parley" })).slug);
    }
    expect(slugs).toEqual(["the-school", "the-school-2", "oidc-2", "ldap-2", "sso", "unicode"]);
    await providers.order(["sso", "nobody", "oidc-2"]);
    const order = (await providers.list()).map(({ slug }) => slug);
    expect(order).toEqual(["sso", "oidc-2", "the-school", "the-school-2", "ldap-2", "unicode"]);
  });

  it("an issuer is added once, also beside one of the environment, and is never changed", async () => {
    const env = { OIDC_ISSUER: "https://env.example.org/", OIDC_CLIENT_ID: "parley", OIDC_NAME: "Work" };
    await using fixed = await start({ env });
    const own = new OwnerOfProviders(fixed, await signUpAs(fixed, "owner"));
    await own.add(school());
    const taken = [400, "invalid-input", ["issuer taken"]];
    for (const issuer of ["https://env.example.org", ISSUER, `${ISSUER}/`, ISSUER.replace("login", "LOGIN")]) {
      expect(await refusalOf(await call("POST", LIST, { ...school(), issuer }, owner, fixed))).toEqual(taken);
    }
    const moved = { issuer: "https://elsewhere.example.org" };
    expect(await refusalOf(await call("PATCH", pathOf("the-school"), moved, owner, fixed))).toEqual([
      400,
      "invalid-input",
      ["issuer invalid"],
    ]);
    expect(await own.change("the-school", { issuer: ISSUER, name: "Same" })).toMatchObject({ issuer: ISSUER });
    expect(await own.list()).toMatchObject([
      { slug: "oidc", name: "Work", isFixed: true, client: { secretEnd: null } },
      { slug: "the-school", isFixed: false },
    ]);
    for (const method of ["PATCH", "DELETE"]) {
      expect((await call(method, pathOf("oidc"), method === "PATCH" ? {} : undefined, owner, fixed)).status).toBe(404);
    }
  });

  it("an issuer is https, or http in a private network, and no address of metadata", async () => {
    const refused = ["ftp://a.example", "http://login.example.org", "http://8.8.8.8", "https://169.254.169.254"];
    refused.push("https://user:word@login.example.org", `${ISSUER}?tenant=1`, `${ISSUER}#top`, "nonsense");
    for (const issuer of refused) {
      const response = await call("POST", LIST, { ...school(), issuer });
      expect([issuer, ...(await refusalOf(response))]).toEqual([issuer, 400, "invalid-input", ["issuer invalid"]]);
    }
    const taken = { "http://keycloak:8080/realms/a": "a", "http://10.1.2.3": "b", [`${ISSUER}/`]: "c" };
    for (const [issuer, name] of Object.entries(taken)) {
      expect(await providers.add({ ...school(), name, issuer })).toMatchObject({ issuer, slug: name });
    }
    // The address of the metadata contains the issuer.
    const issuer = "https://copied.example.org/.well-known/openid-configuration";
    expect(await providers.add({ ...school(), issuer })).toMatchObject({ issuer: "https://copied.example.org" });
  });

  it("rules name groups that exist and every role but that of an owner", async () => {
    const group = await insertTestGroup(app);
    const rules = {
      groupRules: [{ value: "staff", groupId: group }],
      roleRules: [{ value: "admins", role: "administrator" as const }],
    };
    expect(await providers.add({ ...school(), ...rules })).toMatchObject(rules);
    const unknown = { groupRules: [{ value: "*", groupId: newId() }] };
    expect(await refusalOf(await call("PATCH", pathOf("the-school"), unknown))).toEqual([
      400,
      "invalid-input",
      ["groupRules invalid"],
    ]);
    const tooHigh = { roleRules: [{ value: "*", role: "owner" }] };
    expect((await call("PATCH", pathOf("the-school"), tooHigh)).status).toBe(400);
    expect(await providers.list()).toMatchObject([rules]);
  });

  it("each change is recorded without the secret and without the values of rules", async () => {
    await providers.add(school());
    await providers.change("the-school", {
      clientSecret: `${SECRET}-new`,
      roleRules: [{ value: "ada@x", role: "manager" }],
    });
    await providers.remove("the-school");
    const records = (await auditOf()).map(({ kind, actor, before, after }) => [kind, actor, before, after].join(" "));
    const kinds = ["identity-provider-added", "identity-provider-changed", "identity-provider-removed"];
    expect(records.map((record) => record.split(" ").slice(0, 2))).toEqual(kinds.map((kind) => [kind, owner.user.id]));
    expect(records[1]).toContain('"hasNewSecret":true');
    expect(records[1]).toContain('"roleRules":["manager"]');
    expect(records.join()).not.toMatch(/ada@x|canary/);
  });
});

describe("removal of an identity provider", () => {
  it("its sessions end except that of the owner, and its identities stay for the same issuer", async () => {
    await providers.add(school());
    const [ada, eve] = [await signUp(app), await signUp(app)];
    for (const account of [ada, owner]) await insertTestIdentity(app, account, ISSUER);
    const sessions = await app.context.database.selectFrom("sessions").select(["id", "user_id"]).execute();
    for (const { id, user_id } of sessions.filter((session) => session.user_id !== eve.user.id)) {
      await app.context.database
        .insertInto("provider_sessions")
        .values({ session_id: id, issuer: ISSUER, subject: user_id, sid: null, id_token_encrypted: null })
        .execute();
    }
    expect(await providers.list()).toMatchObject([{ identities: 2 }]);
    await providers.remove("the-school");
    const me = async (account: TestAccount) => (await call("GET", accountPaths.me, undefined, account)).status;
    expect([await me(ada), await me(eve), await me(owner)]).toEqual([401, 200, 200]);
    const events = app.context.database.selectFrom("security_events").select(["user_id", "ip"]);
    expect(await events.where("kind", "=", "signed-out-by-provider").execute()).toContainEqual({
      user_id: ada.user.id,
      ip: "",
    });
    expect(await providers.add(school())).toMatchObject({ slug: "the-school", identities: 2 });
  });

  it("an owner whose only way in is a provider neither removes nor disables it", async () => {
    await providers.add(school());
    await providers.add({ ...school(), name: "Second", issuer: "https://second.example.org" });
    await insertTestIdentity(app, owner, ISSUER);
    await app.context.database
      .updateTable("users")
      .set({ password_hash: null })
      .where("id", "=", owner.user.id)
      .execute();
    const attempts = [
      () => call("DELETE", pathOf("the-school")),
      () => call("PATCH", pathOf("the-school"), { isEnabled: false }),
    ];
    for (const attempt of attempts) expect((await problemOf(await attempt())).code).toBe("last-sign-in");
    expect(await providers.list()).toMatchObject([{ slug: "the-school", isEnabled: true }, { slug: "second" }]);
    await insertTestIdentity(app, owner, "https://second.example.org");
    await providers.remove("the-school");
  });
});

describe("permission to manage identity providers", () => {
  it.each(accountRoles)(
    "identity providers are for owners with a proof, and a %s is answered by the role",
    async (role) => {
      const by = await signUpAs(app, role);
      const isOwner = role === "owner";
      const statuses = [
        (await call("GET", LIST, undefined, by)).status,
        (await call("POST", LIST, school(), by)).status,
        (await call("PATCH", pathOf("the-school"), { name: "Other" }, by)).status,
        (await call("DELETE", pathOf("the-school"), undefined, by)).status,
      ];
      expect(statuses).toEqual(isOwner ? [200, 201, 200, 204] : [403, 403, 403, 403]);
    },
  );

  it("a change needs a recent proof", async () => {
    const { user, token } = await signUp(app);
    await app.context.database.updateTable("users").set({ role: "owner" }).where("id", "=", user.id).execute();
    const response = await app.call("POST", LIST, { token, body: school() });
    expect((await problemOf(response)).code).toBe("proof-needed");
  });
});

describe("the key of the installation", () => {
  const OLD = "old-secret-of-the-installation-0123456789";
  const NEW = "new-secret-of-the-installation-0123456789";

  it("N6 a start with another key stops and names the providers, unless it accepts the new one", async () => {
    {
      await using before = await start({ env: { SECRET_KEY: OLD } });
      await new OwnerOfProviders(before, await signUpAs(before, "owner")).add(school());
    }
    await expect(start({ env: { SECRET_KEY: NEW } })).rejects.toThrow(/SECRET_KEY does not open.*The School/);
    await using after = await start({ env: { SECRET_KEY: NEW }, acceptsNewSecret: true });
    const later = new OwnerOfProviders(after, await signUpAs(after, "owner"));
    expect(await later.list()).toMatchObject([{ client: { isUnreadable: true, secretEnd: "" } }]);
    expect(await later.change("the-school", { clientSecret: SECRET })).toMatchObject({
      client: { isUnreadable: false },
    });
  });

  it("N6 the previous key opens stored secrets, which are encrypted again", async () => {
    {
      await using before = await start({ env: { SECRET_KEY: OLD } });
      await new OwnerOfProviders(before, await signUpAs(before, "owner")).add(school());
    }
    {
      await using between = await start({ env: { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD } });
      expect(await offeredBy(between)).toEqual(["the-school"]);
    }
    await using after = await start({ env: { SECRET_KEY: NEW } });
    const later = new OwnerOfProviders(after, await signUpAs(after, "owner"));
    expect(await later.list()).toMatchObject([{ client: { isUnreadable: false, secretEnd: "6789" } }]);
  });
});

it.runIf(isOnPostgres)(
  "another process offers a provider as soon as it is committed, and no longer than that",
  async () => {
    await using database = await createSharedDatabase();
    const [one, other] = [await database.startServer(), await database.startServer()];
    const at = new OwnerOfProviders(one, await signUpAs(one, "owner"));
    await at.add(school());
    expect(await offeredBy(other)).toEqual(["the-school"]);
    await at.remove("the-school");
    expect(await offeredBy(other)).toEqual([]);
  },
);
