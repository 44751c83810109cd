import { describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filedMailsTo, mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { insertTestGroup } from "../../../testing/accounts/groups.ts";
import { invite } from "../../../testing/accounts/invitations.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import type { TestApp } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { type Attributes, type Slapd, SUFFIX } from "../../../testing/servers/slapd.ts";
import {
  hasSlapd,
  signedInByDirectory,
  signInByDirectory,
  startDirectoryApp,
  startSlapd,
} from "../../../testing/sso/directory-app.ts";

const PASSWORD = "of the directory";
const AUTHORITATIVE = { LDAP_EMAIL_AUTHORITATIVE: "true" };

let people = 0;

/** A person of the directory that no other test uses. */
async function newPerson(slapd: Slapd, given: Attributes = {}): Promise<{ uid: string; dn: string; mail: string }> {
  const uid = `ada${++people}`;
  const mail = `${uid}@example.org`;
  return { uid, mail, dn: await slapd.addPerson(uid, { password: PASSWORD, mail, ...given }) };
}

const userOf = async (app: TestApp, uid: string) => (await signedInByDirectory(app, uid, PASSWORD)).user;

const rowOf = (app: TestApp, id: string) =>
  app.context.database.selectFrom("users").select(["group_id", "role"]).where("id", "=", id).executeTakeFirstOrThrow();

describe.runIf(hasSlapd)("sign-in by a directory", async () => {
  if (!hasSlapd) return;
  const slapd = disposeAfterAll(await startSlapd());
  const app = disposeAfterAll(await startDirectoryApp(slapd, { env: AUTHORITATIVE }));
  // The first account becomes the owner, whose role no rule changes.
  await signUp(app);

  it("a signed-in person connects an identity of the directory, and proves by its password", async () => {
    const { uid } = await newPerson(slapd, { mail: "elsewhere@example.com" });
    const { token, user, password } = await signUp(app);
    const directory = { provider: "ldap", username: uid, password: PASSWORD };
    const connect = (body: object) => app.call("POST", accountPaths.identities, { token, body });
    const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
    expect(await codeOf(await connect({ directory }))).toEqual([403, "proof-needed"]);
    await app.call("POST", accountPaths.proof, { token, body: { password } });
    expect(await codeOf(await connect({ directory: { ...directory, password: "wrong" } }))).toEqual([
      400,
      "wrong-password",
    ]);
    expect((await connect({ directory })).status).toBe(204);
    const list = await app.call("GET", accountPaths.identities, { token });
    expect(await list.json()).toMatchObject([{ slug: "ldap", kind: "ldap", label: uid }]);
    const signedIn = await signedInByDirectory(app, uid, PASSWORD);
    expect(signedIn.user.id).toBe(user.id);
    const prove = (body: object) => app.call("POST", accountPaths.proof, { token: signedIn.access_token, body });
    expect((await prove({ directory })).status).toBe(200);
    const other = await newPerson(slapd);
    expect(await codeOf(await prove({ directory: { ...directory, username: other.uid } }))).toEqual([
      400,
      "bad-sso-answer",
    ]);
  });

  it("the sign-in page offers the directory by its name", async () => {
    await using named = await startDirectoryApp(slapd, { env: { LDAP_NAME: "Our school" } });
    const config = await (await named.call("GET", accountPaths.authConfig)).json();
    expect(config).toMatchObject({ identityProviders: [{ slug: "ldap", name: "Our school", kind: "ldap" }] });
  });

  it("a first sign-in by a directory creates an account with the names and the address of the entry", async () => {
    const { uid, mail } = await newPerson(slapd, { givenName: "Augusta", sn: "King", displayName: "Augusta King" });
    const { user, emailVerified } = await signedInByDirectory(app, uid, PASSWORD);
    expect(user).toMatchObject({ firstname: "Augusta", lastname: "King", email: mail });
    expect(emailVerified).toBe(true);
    expect((await signedInByDirectory(app, `  ${uid.toUpperCase()} `, PASSWORD)).user.id).toBe(user.id);
  });

  it("a person binds by a name made from the username, without a service account", async () => {
    const env = { LDAP_USER_DN: `uid={username},ou=people,${SUFFIX}`, ...AUTHORITATIVE };
    await using byName = await startDirectoryApp(slapd, { env });
    const { uid, mail } = await newPerson(slapd);
    expect((await userOf(byName, uid)).email).toBe(mail);
    const refused = await signInByDirectory(byName, uid, "another password");
    expect([refused.status, (await problemOf(refused)).code]).toEqual([401, "wrong-credentials"]);
  });

  it("a directory that everybody may search needs no service account", async () => {
    const env = {
      LDAP_SEARCH_BASE: SUFFIX,
      LDAP_SEARCH_FILTER: "(|(uid={username})(mail={username}))",
      ...AUTHORITATIVE,
    };
    await using open = await startDirectoryApp(slapd, { env });
    const { uid, mail } = await newPerson(slapd);
    expect((await userOf(open, mail)).id).toBe((await userOf(open, uid)).id);
  });

  it.each(["José 李雷", "O'Neil, Ann+Mary", 'a"b<c>d;e=f', "x\\y#z", "(star*)"])(
    "a person with the name %s signs in, by a search and by a made name",
    async (uid) => {
      const mail = `named${++people}@example.org`;
      await slapd.addPerson(uid, { password: PASSWORD, mail });
      const { id } = await userOf(app, uid);
      const env = { LDAP_USER_DN: `uid={username},ou=people,${SUFFIX}` };
      await using byName = await startDirectoryApp(slapd, { env: { ...env, ...AUTHORITATIVE } });
      expect((await userOf(byName, uid)).email).toBe(mail);
      expect((await userOf(app, uid)).id).toBe(id);
    },
  );

  it("an account stays with its entry when name and address change, and is not given to the next of the name", async () => {
    const { uid, dn, mail } = await newPerson(slapd);
    const { id } = await userOf(app, uid);
    await slapd.replace(dn, { mail: `moved-${mail}` });
    await slapd.rename(dn, `uid=${uid}x`);
    expect((await userOf(app, `${uid}x`)).id).toBe(id);
    await slapd.addPerson(uid, { password: PASSWORD, mail: `second-${mail}` });
    expect((await userOf(app, uid)).id).not.toBe(id);
  });

  it("reads an id of bytes as hex digits", async () => {
    await using app = await startDirectoryApp(slapd, { env: { LDAP_ID_ATTRIBUTE: "objectguid", ...AUTHORITATIVE } });
    const { uid } = await newPerson(slapd, { objectGUID: Buffer.from("0123456789abcdef") });
    await userOf(app, uid);
    const rows = await app.context.database.selectFrom("external_identities").selectAll().execute();
    expect(rows).toMatchObject([
      { issuer: `ldap:${SUFFIX}?objectguid`, subject: Buffer.from("0123456789abcdef").toString("hex"), label: uid },
    ]);
  });

  it("refuses an entry without an id, or with several, as a fault of the directory", async () => {
    await using app = await startDirectoryApp(slapd, { env: { LDAP_ID_ATTRIBUTE: "employeeType", ...AUTHORITATIVE } });
    for (const given of [{}, { employeeType: ["a", "b"] }]) {
      const { uid } = await newPerson(slapd, given);
      const response = await signInByDirectory(app, uid, PASSWORD);
      expect([response.status, (await problemOf(response)).code]).toEqual([503, "sso-unavailable"]);
    }
  });

  it("a session by a directory counts as a recent proof", async () => {
    const { uid } = await newPerson(slapd);
    const { access_token: token } = await signedInByDirectory(app, uid, PASSWORD);
    const username = `Renamed${people}`;
    expect((await app.call("POST", accountPaths.username, { token, body: { username } })).status).toBe(200);
  });

  it("asks a person of the directory for a second factor only where the operator wants it", async () => {
    const env = { SECOND_FACTOR: "required", ...AUTHORITATIVE };
    await using own = await startDirectoryApp(slapd, { env: { ...env, LDAP_SECOND_FACTOR: "true" } });
    const { uid } = await newPerson(slapd);
    expect((await problemOf(await signInByDirectory(own, uid, PASSWORD))).code).toBe("second-factor-missing");
    await using trusting = await startDirectoryApp(slapd, { env });
    expect((await signInByDirectory(trusting, uid, PASSWORD)).status).toBe(200);
  });
});

describe.runIf(hasSlapd)("addresses of a directory", async () => {
  if (!hasSlapd) return;
  const slapd = disposeAfterAll(await startSlapd());
  const cautious = disposeAfterAll(await startDirectoryApp(slapd));
  const trusting = disposeAfterAll(await startDirectoryApp(slapd, { env: AUTHORITATIVE }));

  it("an address that the directory does not prove is verified by our mail first", async () => {
    const { uid, mail } = await newPerson(slapd);
    const response = await signInByDirectory(cautious, uid, PASSWORD);
    expect([response.status, (await problemOf(response)).code]).toEqual([403, "email-unverified"]);
    const key = await mailedKey(cautious, mail);
    expect((await cautious.call("POST", accountPaths.verify, { body: { key } })).status).toBe(200);
    expect((await userOf(cautious, uid)).email).toBe(mail);
    expect(await filedMailsTo(cautious, mail)).toHaveLength(1);
  });

  it("an existing account is connected by its address only where the directory proves addresses", async () => {
    const { uid, mail, dn } = await newPerson(slapd);
    const email = mail.toUpperCase();
    await signUp(cautious, { email });
    const refused = await signInByDirectory(cautious, uid, PASSWORD);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([403, "email-unverified"]);
    expect(await subjectsTo(cautious, mail)).toEqual([expect.stringContaining("already have an account")]);
    const { user } = await signUp(trusting, { email });
    expect((await userOf(trusting, uid)).id).toBe(user.id);
    await slapd.replace(dn, { mail: `other-${mail}` });
    expect((await userOf(trusting, uid)).id).toBe(user.id);
  });

  it("an entry without a valid address cannot create an account", async () => {
    const uid = `nomail${++people}`;
    await slapd.addPerson(uid, { password: PASSWORD, mail: "nobody" });
    const response = await signInByDirectory(trusting, uid, PASSWORD);
    expect([response.status, (await problemOf(response)).code]).toEqual([403, "sso-no-address"]);
  });

  it("an invitation admits a person of the directory while registration is closed", async () => {
    await using closed = await startDirectoryApp(slapd, { env: { ...AUTHORITATIVE, REGISTRATION: "closed" } });
    const { uid } = await newPerson(slapd);
    const refused = await signInByDirectory(closed, uid, PASSWORD);
    expect((await problemOf(refused)).code).toBe("registration-closed");
    const { key } = await invite(closed, await signUpAs(closed, "owner"), { role: "manager" });
    const admitted = await signInByDirectory(closed, uid, PASSWORD, { invitation: key });
    expect(await admitted.json()).toMatchObject({ user: { role: "manager" } });
  });
});

describe.runIf(hasSlapd)("groups of a directory", async () => {
  if (!hasSlapd) return;
  const slapd = disposeAfterAll(await startSlapd());
  const rules = {
    ...AUTHORITATIVE,
    LDAP_GROUPS: `CN=Staff,ou=groups,${SUFFIX} -> Teachers; cn=pupils,ou=groups,${SUFFIX} -> Pupils; * -> Guests`,
    LDAP_ROLES: `cn=heads,ou=groups,${SUFFIX} -> administrator; * -> person`,
  };
  const search = { LDAP_GROUP_BASE: `ou=groups,${SUFFIX}`, LDAP_GROUP_FILTER: "(member={dn})" };
  const names = { Teachers: "staff", Pupils: "pupils", Heads: "heads" };
  const member = await newPerson(slapd);
  for (const cn of Object.values(names)) await slapd.addGroup(cn, member.dn);

  async function startWithGroups(env: Record<string, string>) {
    const app = await startDirectoryApp(slapd, { env: { ...rules, ...env } });
    await signUp(app);
    const ids = new Map<string | null, string>();
    for (const name of ["Teachers", "Pupils", "Guests"]) {
      ids.set(await insertTestGroup(app, { name, name_key: name.toLowerCase() }), name);
    }
    const groupOf = async (uid: string) => {
      const { group_id, role } = await rowOf(app, (await userOf(app, uid)).id);
      return [ids.get(group_id), role];
    };
    return { groupOf, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  }

  it.each([
    ["an attribute", {}],
    ["a search", search],
    ["a search as the person", { ...search, LDAP_USER_DN: `uid={username},ou=people,${SUFFIX}` }],
  ])("the first rule that matches a group of %s decides, at each sign-in", async (_how, env) => {
    await using app = await startWithGroups(env);
    expect(await app.groupOf(member.uid)).toEqual(["Teachers", "administrator"]);
    const { uid, dn } = await newPerson(slapd);
    expect(await app.groupOf(uid)).toEqual(["Guests", "person"]);
    await slapd.replace(`cn=pupils,ou=groups,${SUFFIX}`, { member: [member.dn, dn] });
    expect(await app.groupOf(uid)).toEqual(["Pupils", "person"]);
    await slapd.replace(`cn=heads,ou=groups,${SUFFIX}`, { member: [member.dn, dn] });
    await slapd.replace(`cn=pupils,ou=groups,${SUFFIX}`, { member: member.dn });
    expect(await app.groupOf(uid)).toEqual(["Guests", "administrator"]);
    await slapd.replace(`cn=heads,ou=groups,${SUFFIX}`, { member: member.dn });
  });

  it("a name with characters of filters has the groups of its own entry only", async () => {
    await using app = await startWithGroups(search);
    const uid = "x)(member=*";
    await slapd.addPerson(uid, { password: PASSWORD, mail: "filter@example.org" });
    expect(await app.groupOf(uid)).toEqual(["Guests", "person"]);
  });
});
