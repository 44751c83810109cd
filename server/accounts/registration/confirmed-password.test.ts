import { describe, expect, it } from "vitest";
import { type RegisterRequest, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filedMailsTo, mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { GOOGLE_CLIENT_ID, startKeyServer } from "../../../testing/servers/key-server.ts";

const keyServer = disposeAfterAll(await startKeyServer());
const env = { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: keyServer.url };
const app = disposeAfterAll(await startTestApp({ env }));

/** The attacker's password, known only to the person who registered. */
const EVES_PASSWORD = "a password of Eve's";
const ASKS = "Is this you? Sign-in to Parley";

const browser = () => new TestBrowser(app);
const programSignIn = (username: string, password: string) =>
  app.call("POST", accountPaths.login, { body: { username, password } });

async function verify(by: TestBrowser, address: string): Promise<string> {
  const response = await by.call("POST", accountPaths.verify, { key: await mailedKey(app, address) });
  expect(response.status).toBe(200);
  by.token = signedInSchema.parse(await response.json()).access_token;
  return by.token;
}

/**
 * Signs in by Google. `isTheirs`: Google hosts the address, so that an account can be connected without confirmation.
 */
async function signInByGoogle(by: TestBrowser, email: string, isTheirs: boolean): Promise<Response> {
  const { googleNonce } = (await (await by.call("GET", accountPaths.authConfig)).json()) as { googleNonce: string };
  const hosted = isTheirs ? { hd: "example.org" } : {};
  const id_token = await keyServer.issueIdToken({ sub: `google ${email}`, email, nonce: googleNonce, ...hosted });
  return by.call("POST", accountPaths.google, { id_token });
}

describe("registration and verification in one browser", () => {
  it("a verification in the registering browser confirms the password, which then signs in in any browser", async () => {
    const person = newPerson();
    const own = browser();
    await own.call("POST", accountPaths.register, person);
    await verify(own, person.email);
    expect((await browser().signIn(person.username, person.password)).status).toBe(200);
    expect((await programSignIn(person.username, person.password)).status).toBe(200);
  });

  it("a verification mail that another browser requested again confirms the password in the first browser", async () => {
    const person = newPerson();
    const first = browser();
    await first.call("POST", accountPaths.register, person);
    await browser().call("POST", accountPaths.resendVerification, { email: person.username });
    await verify(first, person.email);
    expect((await browser().signIn(person.username, person.password)).status).toBe(200);
  });

  it("a verification in another browser makes that browser known, and then the password signs in everywhere", async () => {
    const person = newPerson();
    await browser().call("POST", accountPaths.register, person);
    const second = browser();
    await second.call("POST", accountPaths.resendVerification, { email: person.username });
    await verify(second, person.email);
    expect((await browser().signIn(person.username, person.password)).status).toBe(403);
    expect((await second.signIn(person.username, person.password)).status).toBe(200);
    expect((await browser().signIn(person.username, person.password)).status).toBe(200);
  });
});

describe("verification on another device", () => {
  let person: RegisterRequest;
  let desk: TestBrowser;
  let phone: TestBrowser;
  const start = async () => {
    [person, desk, phone] = [newPerson(), browser(), browser()];
    await desk.call("POST", accountPaths.register, person);
    await verify(phone, person.email);
  };

  it("a verification on another device signs in there, and a sign-in there by password confirms it everywhere", async () => {
    await start();
    expect((await phone.signIn(person.username, person.password)).status).toBe(200);
    expect((await desk.signIn(person.username, person.password)).status).toBe(200);
  });

  it("a mailed link confirms the password in the browser that requested it", async () => {
    await start();
    const refused = await desk.signIn(person.username, person.password);
    expect(refused.status).toBe(403);
    expect((await problemOf(refused)).detail).toMatchObject({ email_verified: false });
    await desk.call("POST", accountPaths.resendVerification, { email: person.username });
    const letter = (await filedMailsTo(app, person.email)).at(-1);
    expect(letter?.subject).toBe(ASKS);
    expect(letter?.text).toContain(`${app.context.config.publicUrl}/forgot-password`);
    await verify(desk, person.email);
    expect((await browser().signIn(person.username, person.password)).status).toBe(200);
  });

  it("a confirmation of the password is mailed by address and by username, until the password is confirmed", async () => {
    await start();
    await desk.signIn(person.username, person.password);
    await desk.call("POST", accountPaths.resendVerification, { email: person.email.toUpperCase() });
    expect(await subjectsTo(app, person.email)).toContain(ASKS);
    await verify(desk, person.email);
    await desk.call("POST", accountPaths.resendVerification, { email: person.email });
    expect(await subjectsTo(app, person.email)).toContain("You already have an account at Parley");
  });

  it("a mailed link confirms the password also after further attempts with it", async () => {
    await start();
    await desk.signIn(person.username, person.password);
    await desk.call("POST", accountPaths.resendVerification, { email: person.username });
    await desk.signIn(person.username, person.password);
    await verify(desk, person.email);
    expect((await programSignIn(person.username, person.password)).status).toBe(200);
  });

  it("a new password needs no confirmation", async () => {
    await start();
    await desk.call("POST", accountPaths.forgotPassword, { email: person.email });
    const key = await newestKeyFor(app, "reset-password", person.email);
    const password = "another horse battery";
    expect((await phone.call("POST", accountPaths.resetPassword, { key, password })).status).toBe(200);
    expect((await desk.signIn(person.username, password)).status).toBe(200);
  });
});

/**
 * Eve registered first, with the victim's address and her own password, and has prepared what she can. The victim then
 * verifies the address.
 */
type Eve = { person: RegisterRequest; own: TestBrowser };

const evesWays: Record<string, (eve: Eve) => Promise<void>> = {
  "the password only": async () => undefined,
  "a session tried before": async ({ person, own }) => {
    expect((await own.signIn(person.username, EVES_PASSWORD)).status).toBe(403);
  },
  "a pending key": async ({ person, own }) => {
    await own.call("POST", accountPaths.resendVerification, { email: person.username });
  },
  "a pending link to a new password": async ({ person, own }) => {
    await own.call("POST", accountPaths.forgotPassword, { email: person.username });
  },
  "an unverified Google address": async ({ person, own }) => {
    const id_token = await keyServer.issueIdToken({ sub: "eve", email: person.email, email_verified: false });
    expect((await own.call("POST", accountPaths.google, { id_token })).status).toBe(400);
  },
};

const victimsWays: Record<string, (eve: Eve, victim: TestBrowser) => Promise<string>> = {
  "uses the mailed key": ({ person }, victim) => verify(victim, person.email),
  "asks for another mail by the address, and uses its key": async ({ person }, victim) => {
    await victim.call("POST", accountPaths.resendVerification, { email: person.email });
    return verify(victim, person.email);
  },
  "asks for a new password, and uses the key of the mail": async ({ person }, victim) => {
    await victim.call("POST", accountPaths.forgotPassword, { email: person.email });
    return verify(victim, person.email);
  },
  "uses the mailed key, asks whether they have an account, and uses that one's too": async ({ person }, victim) => {
    await verify(victim, person.email);
    await victim.call("POST", accountPaths.resendVerification, { email: person.email });
    return verify(victim, person.email);
  },
  "uses the mailed key, then Google": async ({ person }, victim) => {
    await verify(victim, person.email);
    const response = await signInByGoogle(victim, person.email, true);
    return signedInSchema.parse(await response.json()).access_token;
  },
  "uses Google": async ({ person }, victim) => {
    const response = await signInByGoogle(victim, person.email, true);
    return signedInSchema.parse(await response.json()).access_token;
  },
  "uses Google, which is not authoritative for the address": async ({ person }, victim) => {
    const response = await signInByGoogle(victim, person.email, false);
    return signedInSchema.parse(await response.json()).access_token;
  },
};

describe.each(Object.entries(evesWays))("D11 Eve with %s", (_, prepare) => {
  it.each(Object.entries(victimsWays))(
    "nothing of an attacker who registered first signs in to the account if the victim %s",
    async (__, take) => {
      const eve = { person: newPerson({ password: EVES_PASSWORD }), own: browser() };
      const { person, own } = eve;
      expect((await own.call("POST", accountPaths.register, person)).status).toBe(201);
      await prepare(eve);
      const keysBefore = await Promise.allSettled([mailedKey(app, person.email)]);
      const victim = browser();
      const token = await take(eve, victim);
      const { id } = (await (await app.call("GET", accountPaths.me, { token })).json()) as { id: string };

      for (const by of [own, browser()]) expect((await by.signIn(person.username, EVES_PASSWORD)).ok).toBe(false);
      expect((await programSignIn(person.username, EVES_PASSWORD)).ok).toBe(false);
      for (const key of keysBefore.flatMap((kept) => (kept.status === "fulfilled" ? kept.value : []))) {
        for (const path of [
          accountPaths.verify,
          accountPaths.resetPassword,
          accountPaths.confirmEmail,
          accountPaths.undoEmail,
        ]) {
          const answer = await own.call("POST", path, { key, password: EVES_PASSWORD });
          // The key of the mail that verified the account is a success without a session (D3).
          if (answer.ok) expect(await answer.json()).toEqual({ alreadyVerified: true });
          else expect(answer.status).toBe(400);
        }
      }
      expect(await (await app.call("GET", "/chat-history", { token })).json()).toEqual([]);
      const others = app.context.database.selectFrom("users").select("id").where("email_key", "=", person.email);
      expect(await others.execute()).toEqual([{ id }]);
    },
  );
});

it("D11 later requests of Eve do not sign her in, although the victim follows the link", async () => {
  const [person, own, victim] = [newPerson({ password: EVES_PASSWORD }), browser(), browser()];
  await own.call("POST", accountPaths.register, person);
  await verify(victim, person.email);
  for (let tried = 0; tried < 2; tried++) {
    expect((await own.signIn(person.username, EVES_PASSWORD)).status).toBe(403);
    await own.call("POST", accountPaths.resendVerification, { email: person.username });
    await verify(victim, person.email);
    expect((await own.signIn(person.username, EVES_PASSWORD)).status).toBe(403);
  }
  // A program has no device cookie: it has to use the key itself.
  await app.call("POST", accountPaths.resendVerification, { body: { email: person.username } });
  await verify(victim, person.email);
  expect((await programSignIn(person.username, EVES_PASSWORD)).status).toBe(403);
});

it("D11 a new password of the victim cancels a change of address that Eve requested", async () => {
  const person = newPerson();
  const own = browser();
  await own.call("POST", accountPaths.register, person);
  const token = await verify(own, person.email);
  const eve = browser();
  await eve.signIn(person.username, person.password);
  const evesAddress = newPerson().email;
  expect((await eve.call("POST", accountPaths.email, { email: evesAddress })).status).toBe(200);
  const evesKey = await newestKeyFor(app, "confirm-email", evesAddress);
  await own.call("POST", accountPaths.forgotPassword, { email: person.email });
  const key = await newestKeyFor(app, "reset-password", person.email);
  await own.call("POST", accountPaths.resetPassword, { key, password: "another horse battery" });
  expect((await app.call("POST", accountPaths.confirmEmail, { body: { key: evesKey } })).status).toBe(400);
  expect((await app.call("GET", accountPaths.me, { token })).status).toBe(401);
  expect((await eve.call("GET", accountPaths.me)).status).toBe(401);
});
