import { afterAll, describe, expect, it } from "vitest";
import { signedInSchema, type User } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { NewInvitation } from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { invite } from "../../../testing/accounts/invitations.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { newPerson, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

const clock = new TestClock();
const env = { REGISTRATION: "closed", PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" };
const app = disposeAfterAll(await startTestApp({ clock, env }));
const UNKNOWN = "x".repeat(22);
const keys = [UNKNOWN];

afterAll(() => {
  expect(app.logLines.length).toBeGreaterThan(20);
  for (const key of keys) expect(app.logLines.join("")).not.toContain(key);
});

/** Creates an invitation by a new owner. */
async function newInvitation(body: NewInvitation = {}, by = app) {
  const owner = await signUpAs(by, "owner");
  const created = await invite(by, owner, body);
  keys.push(created.key);
  const revoke = () => by.call("DELETE", administrationPaths.invitation(created.invitation.id), { token: owner.token });
  return { ...created, owner, revoke };
}

const open = (key: string, by: TestApp = app) => by.call("POST", accountPaths.invitation, { body: { key } });
const register = (invitation: string, email?: string, by: TestApp = app) => {
  const person = newPerson(email === undefined ? {} : { email });
  return by.call("POST", accountPaths.register, { body: { ...person, invitation } });
};
const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);
const usesOf = async (id: string) =>
  (await app.context.database.selectFrom("invitations").select("uses").where("id", "=", id).executeTakeFirst())?.uses;

/** Invitations that cannot be used any more, by the reason, and an unknown key. */
const unusable: Record<string, () => Promise<string>> = {
  unknown: async () => UNKNOWN,
  used: async () => {
    const { key } = await newInvitation();
    expect((await register(key)).status).toBe(201);
    return key;
  },
  revoked: async () => {
    const { key, revoke } = await newInvitation({ uses: 5 });
    expect((await open(key)).status).toBe(200);
    await revoke();
    return key;
  },
  expired: async () => {
    const { key } = await newInvitation({ lifeMs: HOUR });
    clock.advance(HOUR - 1);
    expect((await open(key)).status).toBe(200);
    clock.advance(1);
    return key;
  },
  "bound and revoked": async () => {
    const { key, revoke } = await newInvitation({ address: newPerson().email });
    await revoke();
    return key;
  },
};

const seen = async (response: Response) => {
  const hidden = ["date", "x-request-id"];
  const headers = [...response.headers].filter(([name]) => !hidden.includes(name));
  return [response.status, await response.text(), headers];
};

it.each(Object.keys(unusable))(
  "P4 every route answers alike for an unknown invitation key and one that is %s",
  async (reason) => {
    const key = (await unusable[reason]?.()) ?? "";
    const opened = await seen(await open(key));
    expect(opened).toEqual(await seen(await open(UNKNOWN)));
    expect(opened[0]).toBe(400);
    const registered = await register(key);
    expect(await codeOf(registered.clone())).toBe("bad-invitation");
    expect(await seen(registered)).toEqual(await seen(await register(UNKNOWN)));
  },
);

it("P4 20 registrations at once with a single-use invitation give exactly one account", async () => {
  const { key, invitation } = await newInvitation();
  const people = Array.from({ length: 20 }, () => newPerson());
  const answers = await Promise.all(
    people.map((person) => app.call("POST", accountPaths.register, { body: { ...person, invitation: key } })),
  );
  const codes = await Promise.all(answers.map(codeOf));
  expect(codes.sort()).toEqual([201, ...Array(19).fill("bad-invitation")]);
  const names = people.map(({ username }) => username);
  const made = app.context.database.selectFrom("users").select("id").where("username", "in", names);
  expect(await made.execute()).toHaveLength(1);
  expect(await usesOf(invitation.id)).toBe(1);
});

it("P4 20 registrations at once use an invitation for seven people seven times", async () => {
  const { key, invitation } = await newInvitation({ uses: 7 });
  const codes = await Promise.all(Array.from({ length: 20 }, async () => codeOf(await register(key))));
  expect(codes.filter((code) => code === 201)).toHaveLength(7);
  expect(await usesOf(invitation.id)).toBe(7);
});

it("P4 a registration is refused if its invitation is revoked while the form is open", async () => {
  const { key, revoke } = await newInvitation({ uses: 100 });
  expect((await open(key)).status).toBe(200);
  const answers = await Promise.all([...Array.from({ length: 5 }, () => register(key)), revoke()]);
  expect(answers.at(-1)?.status).toBe(204);
  expect(await codeOf(await register(key))).toBe("bad-invitation");
});

describe("P4 invitations for one address", () => {
  it.each([
    ["Ada.Invited@example.org", 201],
    ["ada.invited@EXAMPLE.ORG", 201],
    ["ada.invited+chat@example.org", "invitation-address"],
    ["adainvited@example.org", "invitation-address"],
    ["ada.invited@example.org.evil.example", "invitation-address"],
    ["eve@example.org", "invitation-address"],
  ])("an invitation for one address answers a registration of %s with %s", async (email, code) => {
    const { key, invitation } = await newInvitation({ address: "ada.invited@example.org" });
    expect(await (await open(key)).json()).toMatchObject({ address: "ada.invited@example.org" });
    expect(await codeOf(await register(key, email))).toBe(code);
    expect(await usesOf(invitation.id)).toBe(code === 201 ? 1 : 0);
  });

  it("a registration with an invitation for one address still verifies that address by a mail", async () => {
    const person = newPerson();
    const { key } = await newInvitation({ address: person.email, mail: true });
    const answer = await app.call("POST", accountPaths.register, { body: { ...person, invitation: key } });
    expect(await answer.json()).toMatchObject({ emailVerified: false });
    const { username, password } = person;
    const signIn = () => app.call("POST", accountPaths.login, { body: { username, password } });
    expect(await codeOf(await signIn())).toBe("email-unverified");
    expect(await codeOf(await app.call("POST", accountPaths.verify, { body: { key } }))).toBe("bad-key");
    await app.call("POST", accountPaths.verify, { body: { key: await mailedKey(app, person.email) } });
    expect((await signIn()).status).toBe(200);
  });

  it("an invitation gives no role to an account that has its address, and does not reveal that account", async () => {
    const { user, token } = await signUp(app);
    const { key } = await newInvitation({ address: user.email, role: "administrator" });
    expect(await codeOf(await register(key, user.email))).toBe(201);
    expect(await (await app.call("GET", accountPaths.me, { token })).json()).not.toHaveProperty("role");
  });
});

it("P4 a signed-in person who opens the link of an invitation changes nothing", async () => {
  const { token } = await signUp(app);
  const { key, invitation } = await newInvitation({ role: "administrator" });
  const answer = await app.call("POST", accountPaths.invitation, { token, body: { key } });
  expect(answer.status).toBe(200);
  const person = newPerson();
  await app.call("POST", accountPaths.register, { token, body: { ...person, invitation: UNKNOWN } });
  expect((await (await app.call("GET", accountPaths.me, { token })).json()) as User).not.toHaveProperty("role");
  expect(await usesOf(invitation.id)).toBe(0);
  // With the key it registers another account.
  await app.call("POST", accountPaths.register, { token, body: { ...person, invitation: key } });
  const response = await app.call("POST", accountPaths.verify, {
    token,
    body: { key: await mailedKey(app, person.email) },
  });
  const { user } = signedInSchema.parse(await response.json());
  expect([user.username, user.role]).toEqual([person.username, "administrator"]);
  expect((await (await app.call("GET", accountPaths.me, { token })).json()) as User).not.toHaveProperty("role");
});

it("P4 B2 guesses of invitation keys are limited on every route, registrations with a right key are not", async () => {
  const limits = { ...env, RATE_LIMITS: "on", TRUST_PROXY: "true" };
  await using limited = await startTestApp({ clock, env: limits });
  const { key } = await newInvitation({ uses: 1000 }, limited);
  const from = (ip: string, path: string, body: object) =>
    limited.call("POST", path, { body, headers: { "x-forwarded-for": ip } });
  const statuses = async (times: number, ask: () => Promise<Response>) => {
    const all = [];
    for (let count = 0; count < times; count++) all.push((await ask()).status);
    return all;
  };
  const refused = [...Array(30).fill(400), 429];
  expect(await statuses(31, () => from("198.51.100.1", accountPaths.invitation, { key: UNKNOWN }))).toEqual(refused);
  const guess = () => from("198.51.100.2", accountPaths.register, { ...newPerson(), invitation: UNKNOWN });
  expect(await statuses(31, guess)).toEqual(refused);
  expect((await from("198.51.100.2", accountPaths.invitation, { key })).status).toBe(200);
  const right = () => from("198.51.100.3", accountPaths.register, { ...newPerson(), invitation: key });
  const wrong = () => from("198.51.100.3", accountPaths.register, { ...newPerson(), invitation: UNKNOWN });
  expect(await statuses(20, right)).toEqual(Array(20).fill(201));
  expect(await statuses(31, wrong)).toEqual(refused);
  expect((await right()).status).toBe(201);
});
