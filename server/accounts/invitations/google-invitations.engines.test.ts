import { expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { NewInvitation } from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { insertTestGroup } from "../../../testing/accounts/groups.ts";
import { invite } from "../../../testing/accounts/invitations.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { newPerson } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { GOOGLE_CLIENT_ID, startKeyServer } from "../../../testing/servers/key-server.ts";

const clock = new TestClock();
const google = disposeAfterAll(await startKeyServer());
const env = { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: google.url, REGISTRATION: "closed" };
const app = disposeAfterAll(
  await startTestApp({ clock, env: { ...env, PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" } }),
);

let people = 0;

/** A Google account that no other test uses. */
function googler(given: { email?: string } = {}) {
  const number = ++people;
  return { sub: `20000000000000000${number}`, email: `invited${number}@example.org`, ...given };
}

async function signIn(claims: ReturnType<typeof googler>, invitation?: string): Promise<Response> {
  const id_token = await google.issueIdToken(claims, clock.now());
  return app.call("POST", accountPaths.google, { body: { id_token, ...(invitation !== undefined && { invitation }) } });
}
const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);
const userOf = async (response: Response) => signedInSchema.parse(await response.json()).user;

async function newInvitation(body: NewInvitation = {}) {
  const owner = await signUpAs(app, "owner");
  const created = await invite(app, owner, body);
  const uses = async () => {
    const row = app.context.database.selectFrom("invitations").select("uses").where("id", "=", created.invitation.id);
    return (await row.executeTakeFirst())?.uses;
  };
  const revoke = () =>
    app.call("DELETE", administrationPaths.invitation(created.invitation.id), { token: owner.token });
  return { ...created, uses, revoke };
}

it("P4 a first sign-in by Google needs a valid invitation while registration is closed, and gets its role", async () => {
  const { key, uses } = await newInvitation({ role: "manager" });
  const person = googler();
  expect(await codeOf(await signIn(person))).toBe("registration-closed");
  expect(await codeOf(await signIn(person, "x".repeat(22)))).toBe("bad-invitation");
  expect(await userOf(await signIn(person, key))).toMatchObject({ email: person.email, role: "manager" });
  expect(await uses()).toBe(1);
  expect(await codeOf(await signIn(googler(), key))).toBe("bad-invitation");
  expect(app.logLines.join("")).not.toContain(key);
});

it("P4 a Google account gets the group of its invitation", async () => {
  const group = await insertTestGroup(app);
  const { key } = await newInvitation({ groupId: group });
  const { id } = await userOf(await signIn(googler(), key));
  const row = app.context.database.selectFrom("users").select("group_id").where("id", "=", id);
  expect(await row.executeTakeFirst()).toEqual({ group_id: group });
});

it("P4 neither a revoked nor an expired invitation admits a Google account", async () => {
  const [revoked, expired] = [await newInvitation({ uses: 5 }), await newInvitation({ uses: 5, lifeMs: HOUR })];
  expect((await revoked.revoke()).status).toBe(204);
  clock.advance(HOUR);
  for (const { key, uses } of [revoked, expired]) {
    expect(await codeOf(await signIn(googler(), key))).toBe("bad-invitation");
    expect(await uses()).toBe(0);
  }
});

it("P4 an invitation for one address admits only the Google account that has it", async () => {
  const email = newPerson().email;
  const { key, uses } = await newInvitation({ address: email });
  for (const other of [googler(), googler({ email: email.replace("@", "+tag@") })]) {
    expect(await codeOf(await signIn(other, key))).toBe("invitation-address");
  }
  expect(await uses()).toBe(0);
  expect(await codeOf(await signIn(googler({ email: email.toUpperCase() }), key))).toBe(200);
});

it("P4 an existing account signs in by Google with any key, and uses no invitation", async () => {
  const person = googler();
  await signIn(person, (await newInvitation()).key);
  const { key, uses } = await newInvitation({ role: "administrator" });
  for (const given of [key, "x".repeat(22)]) {
    expect(await userOf(await signIn(person, given))).not.toHaveProperty("role");
  }
  expect(await uses()).toBe(0);
});

it("a person who registered, but signs in by Google instead of verifying, uses the invitation once", async () => {
  const person = newPerson();
  const { key, uses } = await newInvitation();
  expect((await app.call("POST", accountPaths.register, { body: { ...person, invitation: key } })).status).toBe(201);
  expect(await codeOf(await signIn(googler({ email: person.email }), key))).toBe(200);
  expect(await uses()).toBe(1);
});

it("P4 one of 10 concurrent first Google sign-ins with a single-use invitation creates an account", async () => {
  const { key } = await newInvitation();
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(googler(), key)));
  const codes = await Promise.all(answers.map(codeOf));
  expect(codes.sort()).toEqual([200, ...Array(9).fill("bad-invitation")]);
});

it("P4 a first sign-in by Google from elsewhere cannot use an invitation for trusted networks", async () => {
  const { key, uses } = await newInvitation({ classCode: true, trustedOnly: true });
  expect(await codeOf(await signIn(googler(), key))).toBe("bad-invitation");
  expect(await uses()).toBe(0);
});
