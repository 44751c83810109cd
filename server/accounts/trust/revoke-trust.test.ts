import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { securityLogSchema, sessionListSchema } from "#contract/accounts/sessions.ts";
import { DAY } from "#contract/limits.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

/** An account with sessions of its owner and of an attacker, and everything else that can sign in to it. */
type Scene = TestAccount & { owner: TestBrowser; thief: TestBrowser; former: string };

const things = [
  "own session",
  "thief's session",
  "Google's session",
  "own browser",
  "thief's browser",
  "Google",
  "password",
  "confirmed password",
  "reset key",
  "confirm key",
  "key for an address",
  "undo key",
  "guesses",
  "deletion",
] as const;
type Thing = (typeof things)[number];

async function idToken(browser: TestBrowser, sub: string): Promise<string> {
  const { googleNonce } = (await (await browser.call("GET", accountPaths.authConfig)).json()) as {
    googleNonce: string;
  };
  return google.issueIdToken({ sub, email: `${sub}@example.net`, nonce: googleNonce }, clock.now());
}

async function setScene(): Promise<Scene> {
  const account = await signUp(app);
  const { user, password } = account;
  const [owner, thief, third] = [new TestBrowser(app), new TestBrowser(app), new TestBrowser(app)];
  await app.call("POST", accountPaths.logout, { token: account.token });
  // An earlier change of address, which can be undone.
  await owner.signIn(user.username, password);
  const email = newPerson().email;
  await owner.call("POST", accountPaths.email, { email });
  await owner.call("POST", accountPaths.confirmEmail, { key: await newestKeyFor(app, "confirm-email", email) });
  await thief.signIn(user.username, password);
  const sub = newPerson().username;
  const connected = await thief.call("POST", accountPaths.googleConnection, { id_token: await idToken(thief, sub) });
  expect(connected.status).toBe(204);
  expect((await third.call("POST", accountPaths.google, { id_token: await idToken(third, sub) })).status).toBe(200);
  const pending = newPerson().email;
  await thief.call("POST", accountPaths.email, { email: pending });
  await thief.call("POST", accountPaths.forgotPassword, { email });
  const { database } = app.context;
  const id = `${user.id.slice(0, -4)}beef`;
  const expires_at = clock.now() + DAY;
  const row = { id, user_id: user.id, hash: id, expires_at, address: null, device: null };
  await database
    .insertInto("email_keys")
    .values({ ...row, purpose: "confirm-password" })
    .execute();
  await new TestBrowser(app).signIn(user.username, "a wrong password");
  return { ...account, user: { ...user, email }, owner, thief, former: user.email };
}

/** Returns which of these no longer exist. */
async function lostIn({ user, owner, thief }: Scene): Promise<Thing[]> {
  const { database } = app.context;
  const of = <T extends "sessions" | "devices" | "email_keys" | "sign_in_throttles">(table: T) =>
    database
      .selectFrom(table as "sessions")
      .selectAll()
      .where("user_id", "=", user.id)
      .execute();
  const row = await database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();
  const sessions = await of("sessions");
  const devices = (await database.selectFrom("devices").selectAll().where("user_id", "=", user.id).execute()).map(
    ({ device }) => device,
  );
  const keys = (await database.selectFrom("email_keys").selectAll().where("user_id", "=", user.id).execute()).map(
    ({ purpose }) => purpose as string,
  );
  const is = async (browser: TestBrowser) => (await browser.call("GET", accountPaths.me)).status === 200;
  const there: Record<Thing, boolean> = {
    "own session": await is(owner),
    "thief's session": await is(thief),
    "Google's session": sessions.some(({ method }) => method === "google"),
    "own browser": devices.includes(deviceOf(owner)),
    "thief's browser": devices.includes(deviceOf(thief)),
    Google: row.google_subject !== null,
    password: row.password_hash !== null,
    "confirmed password": row.password_confirmed === 1,
    "reset key": keys.includes("reset-password"),
    "confirm key": keys.includes("confirm-password"),
    "key for an address": keys.includes("change-email"),
    "undo key": keys.includes("undo-email"),
    guesses: (await of("sign_in_throttles")).length > 0,
    deletion: row.delete_at !== null,
  };
  return things.filter((thing) => !there[thing]);
}

const devices = new Map<TestBrowser, string>();
const deviceOf = (browser: TestBrowser) => devices.get(browser) ?? "";

/** Stores the device hashes of the two browsers. */
async function noteDevices({ user, owner, thief }: Scene): Promise<void> {
  for (const browser of [owner, thief]) {
    const list = sessionListSchema.parse(await (await browser.call("GET", accountPaths.sessions)).json());
    const current = list.find(({ isCurrent }) => isCurrent)?.id ?? "";
    const rows = app.context.database.selectFrom("sessions").select("device").where("user_id", "=", user.id);
    devices.set(browser, (await rows.where("id", "=", current).executeTakeFirstOrThrow()).device ?? "");
  }
}

type Act = (scene: Scene) => Promise<Response>;
const newBrowser = () => new TestBrowser(app);
const pendingKey = async ({ user }: Scene) => {
  const rows = app.context.database.selectFrom("email_keys").select("address").where("user_id", "=", user.id);
  const { address } = await rows.where("purpose", "=", "change-email").executeTakeFirstOrThrow();
  return newestKeyFor(app, "confirm-email", address ?? "");
};
const thiefsSession = async ({ thief }: Scene) =>
  sessionListSchema
    .parse(await (await thief.call("GET", accountPaths.sessions)).json())
    .find(({ isCurrent }) => isCurrent)?.id ?? "";

/** Groups of revoked things. Each row of the matrix lists all things that its act revokes. */
const OTHERS: Thing[] = ["thief's session", "Google's session"];
const KEYS: Thing[] = ["reset key", "confirm key", "key for an address"];
const matrix: [string, Act, Thing[]][] = [
  ["signing out", ({ owner }) => owner.call("POST", accountPaths.logout), ["own session"]],
  [
    "signing out one",
    async (scene) => scene.owner.call("DELETE", accountPaths.session(await thiefsSession(scene))),
    ["thief's session", "thief's browser", "key for an address"],
  ],
  [
    "signing out all others",
    ({ owner }) => owner.call("DELETE", accountPaths.sessions),
    [...OTHERS, "thief's browser", "key for an address"],
  ],
  [
    "disconnecting Google",
    ({ owner }) => owner.call("DELETE", accountPaths.googleConnection),
    ["Google's session", "Google", "key for an address"],
  ],
  [
    "changing the password",
    ({ owner, password }) =>
      owner.call("POST", accountPaths.password, { currentPassword: password, password: "another horse battery" }),
    [...OTHERS, "thief's browser", ...KEYS, "guesses"],
  ],
  [
    "setting a new password by a mail",
    async ({ user }) => {
      const key = await newestKeyFor(app, "reset-password", user.email);
      return app.call("POST", accountPaths.resetPassword, { body: { key, password: "another horse battery" } });
    },
    ["own session", ...OTHERS, "own browser", "thief's browser", "Google", ...KEYS, "guesses"],
  ],
  [
    "confirming a new address in the browser that asked",
    async (scene) => scene.thief.call("POST", accountPaths.confirmEmail, { key: await pendingKey(scene) }),
    KEYS,
  ],
  [
    "confirming it in another one that the account knows",
    async (scene) => scene.owner.call("POST", accountPaths.confirmEmail, { key: await pendingKey(scene) }),
    KEYS,
  ],
  [
    "confirming it by a program",
    async (scene) => app.call("POST", accountPaths.confirmEmail, { body: { key: await pendingKey(scene) } }),
    KEYS,
  ],
  [
    "D11 confirming it in an unknown browser",
    async (scene) => newBrowser().call("POST", accountPaths.confirmEmail, { key: await pendingKey(scene) }),
    ["own session", ...OTHERS, "own browser", "thief's browser", "Google", "confirmed password", ...KEYS],
  ],
  [
    "undoing a change of address",
    async ({ former }) =>
      newBrowser().call("POST", accountPaths.undoEmail, { key: await newestKeyFor(app, "undo-email", former) }),
    ["own session", ...OTHERS, "own browser", "thief's browser", "Google", "password", ...KEYS, "undo key"],
  ],
  [
    "asking for the account's end",
    ({ owner }) => owner.call("POST", accountPaths.accountDeletion, { isImmediate: false }),
    ["own session", ...OTHERS, "key for an address"],
  ],
];

it.each(matrix)("A7 E4 %s revokes the expected items, and nothing else", async (_, act, lost) => {
  const scene = await setScene();
  await noteDevices(scene);
  expect(await lostIn(scene)).toEqual(["deletion"]);
  expect((await act(scene)).ok).toBe(true);
  const isAsked = (await rowOf(scene)).delete_at !== null;
  const expected = things.filter((thing) => lost.includes(thing) || (thing === "deletion" && !isAsked));
  expect(await lostIn(scene)).toEqual(expected);
});

const rowOf = ({ user }: Scene) =>
  app.context.database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();

it("E4 signing out a device cancels the change of address that was requested there, and no other", async () => {
  const scene = await setScene();
  const key = await pendingKey(scene);
  const { owner } = scene;
  expect((await owner.call("DELETE", accountPaths.session(await thiefsSession(scene)))).status).toBe(204);
  expect((await newBrowser().call("POST", accountPaths.confirmEmail, { key })).status).toBe(400);
  const [first] = await logOf(owner);
  expect([first?.kind, (await rowOf(scene)).email]).toEqual(["session-ended", scene.user.email]);

  const third = { ...scene, thief: newBrowser() };
  await third.thief.signIn(scene.user.username, scene.password);
  const email = newPerson().email;
  await owner.call("POST", accountPaths.email, { email });
  expect((await owner.call("DELETE", accountPaths.session(await thiefsSession(third)))).status).toBe(204);
  const own = await newestKeyFor(app, "confirm-email", email);
  expect((await owner.call("POST", accountPaths.confirmEmail, { key: own })).status).toBe(204);
  expect((await rowOf(scene)).email).toBe(email);
});

const logOf = async (browser: TestBrowser) =>
  securityLogSchema.parse(await (await browser.call("GET", accountPaths.securityLog)).json());

it("undoing a change of address also cancels a deletion that the attacker requested", async () => {
  const scene = await setScene();
  expect((await scene.thief.call("POST", accountPaths.accountDeletion, { isImmediate: false })).ok).toBe(true);
  const key = await newestKeyFor(app, "undo-email", scene.former);
  expect((await newBrowser().call("POST", accountPaths.undoEmail, { key })).status).toBe(204);
  expect(await rowOf(scene)).toMatchObject({ delete_at: null, email: scene.former });
});

it("a first password by mail leaves Google connected, which was the only way to sign in", async () => {
  const sub = newPerson().username;
  const signIn = async () => {
    const browser = newBrowser();
    return browser.call("POST", accountPaths.google, { id_token: await idToken(browser, sub) });
  };
  expect((await signIn()).status).toBe(200);
  const email = `${sub}@example.net`;
  await newBrowser().call("POST", accountPaths.forgotPassword, { email });
  const key = await newestKeyFor(app, "reset-password", email);
  const reset = await newBrowser().call("POST", accountPaths.resetPassword, {
    key,
    password: "another horse battery",
  });
  expect(reset.status).toBe(200);
  expect((await signIn()).status).toBe(200);
});
