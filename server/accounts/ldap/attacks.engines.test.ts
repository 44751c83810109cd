import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { PASSWORD as LOCAL_PASSWORD, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { solveWork } from "../../../testing/http/solve-work.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { type Attributes, type Slapd, SUFFIX } from "../../../testing/servers/slapd.ts";
import { privateCaFile } from "../../../testing/servers/tls-front.ts";
import { forward, startWireTap, type WireTap } from "../../../testing/servers/wire-tap.ts";
import { hasSlapd, signInByDirectory, startDirectoryApp, startSlapd } from "../../../testing/sso/directory-app.ts";

const PASSWORD = "of the directory";
const AUTHORITATIVE = { LDAP_EMAIL_AUTHORITATIVE: "true" };
const BY_NAME = { LDAP_USER_DN: `uid={username},ou=people,${SUFFIX}`, ...AUTHORITATIVE };

let people = 0;

/** A person of the directory that no other test uses. */
async function newPerson(slapd: Slapd, given: Attributes = {}): Promise<string> {
  const uid = `eve${++people}`;
  await slapd.addPerson(uid, { password: PASSWORD, mail: `${uid}@example.org`, ...given });
  return uid;
}

async function outcomeOf(response: Response): Promise<[number, string?]> {
  return response.ok ? [response.status] : [response.status, (await problemOf(response)).code];
}

const signIn = async (app: TestApp, username: string, password = PASSWORD) =>
  outcomeOf(await signInByDirectory(app, username, password));

const wrong = [401, "wrong-credentials"];
const unavailable = [503, "sso-unavailable"];

const countedGuesses = (app: TestApp) =>
  app.context.database.selectFrom("sign_in_throttles").select("failures").where("failures", ">", 0).execute();

describe.runIf(hasSlapd)("names and passwords of a directory", async () => {
  if (!hasSlapd) return;
  const slapd = disposeAfterAll(await startSlapd());
  const app = disposeAfterAll(await startDirectoryApp(slapd, { env: AUTHORITATIVE }));
  const byName = disposeAfterAll(await startDirectoryApp(slapd, { env: BY_NAME }));
  const ada = await newPerson(slapd);

  it("a directory is never asked with a password that it would take for an anonymous bind", async () => {
    for (const directory of [app, byName]) {
      for (const password of ["\0", `\0${PASSWORD}`, "wrong", ` ${PASSWORD}`]) {
        expect(await signIn(directory, ada, password)).toEqual(wrong);
      }
      expect(await signIn(directory, ada, "")).toEqual([400, "invalid-input"]);
    }
  });

  it.each([
    "*",
    `${ada.slice(0, 3)}*`,
    "*)(uid=*",
    `${ada})(objectClass=*`,
    `${ada})(|(uid=*)`,
    `\\2a`,
    `${ada}\0`,
    `${ada},ou=people,${SUFFIX}`,
    `${ada}+cn=Ada Lovelace`,
    `\\${ada}`,
    "\ud800",
    `cn=root,${SUFFIX}`,
  ])("the name %j names nobody else in a filter or a distinguished name", async (username) => {
    expect(await signIn(app, username)).toEqual(wrong);
    expect(await signIn(byName, username)).toEqual(wrong);
    expect(await app.context.database.selectFrom("external_identities").select("id").execute()).toEqual([]);
  });

  it("a name with two entries is refused, with a line in the log", async () => {
    const env = { LDAP_SEARCH_BASE: SUFFIX, LDAP_SEARCH_FILTER: "(sn={username})", ...AUTHORITATIVE };
    await using bySurname = await startDirectoryApp(slapd, { env });
    await newPerson(slapd, { sn: "King" });
    expect(await signIn(bySurname, "king")).toEqual([200]);
    for (const _each of [2, 3]) {
      await newPerson(slapd, { sn: "King" });
      expect(await signIn(bySurname, "king")).toEqual(wrong);
    }
    expect(bySurname.logLines.join()).toContain("several entries");
  });

  it("referrals of a directory are not followed", async () => {
    await using other = await startWireTap(() => undefined);
    const ref = `ldap://127.0.0.1:${other.port}/uid=away,${SUFFIX}`;
    await slapd.add("uid=away,ou=people", { objectClass: ["referral", "extensibleObject"], uid: "away", ref });
    expect(await signIn(app, "away")).toEqual(wrong);
    expect((await signIn(byName, "away"))[0]).not.toBe(200);
    expect(other.connections).toBe(0);
  });
});

describe.runIf(hasSlapd)("guesses of passwords of a directory", async () => {
  if (!hasSlapd) return;
  const slapd = disposeAfterAll(await startSlapd());
  const clock = new TestClock();
  const app = disposeAfterAll(await startDirectoryApp(slapd, { clock, env: AUTHORITATIVE }));

  async function guessWrongly(username: string, times: number): Promise<void> {
    for (let count = 0; count < times; count++) expect(await signIn(app, username, "wrong")).toEqual(wrong);
  }

  it("wrong passwords of a directory cause waits, but none for a local account of the same name", async () => {
    const uid = await newPerson(slapd);
    await signUp(app, { username: uid });
    await guessWrongly(uid, 10);
    expect(await signIn(app, uid)).toEqual([429, "too-many-requests"]);
    const body = { username: uid, password: LOCAL_PASSWORD };
    expect((await app.call("POST", accountPaths.login, { body })).status).toBe(200);
    clock.advance(SECOND);
    expect(await signIn(app, uid)).toEqual([200]);
  });

  it("the spellings of a name that the directory compares as equal have one counter", async () => {
    const uid = await newPerson(slapd);
    const wide = [...uid].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join("");
    for (const spelling of [uid.toUpperCase(), wide, `\u00ad${uid}`, ` ${uid} `, `${uid}\u0301`, uid]) {
      await guessWrongly(spelling, 1);
    }
    const rows = await app.context.database.selectFrom("sign_in_throttles").select("failures").execute();
    expect(rows.map(({ failures }) => failures)).toContain(6);
  });

  it("guesses elsewhere do not lock the owner out of a browser in which they have signed in before", async () => {
    const uid = await newPerson(slapd);
    const browser = new TestBrowser(app);
    const signInThere = async () => {
      await browser.call("GET", accountPaths.authConfig);
      return browser.call("POST", accountPaths.ssoDirectory, { provider: "ldap", username: uid, password: PASSWORD });
    };
    const { user } = signedInSchema.parse(await (await signInThere()).json());
    await guessWrongly(uid, 10);
    expect(await signIn(app, uid)).toEqual([429, "too-many-requests"]);
    expect(await securityEventsOf(app, user.id)).toContain("sign-in-failed");
    expect((await signInThere()).status).toBe(200);
    // The right password of the owner has cleared the guesses.
    expect(await signIn(app, uid)).toEqual([200]);
  });

  it("a name that is locked after a hundred guesses is admitted again on the next day", async () => {
    const uid = await newPerson(slapd);
    await guessWrongly(uid, 1);
    await app.context.database.updateTable("sign_in_throttles").set({ failures: 100 }).execute();
    expect(await signIn(app, uid)).toEqual([429, "too-many-requests"]);
    clock.advance(DAY);
    expect(await signIn(app, uid)).toEqual([200]);
  });

  it("a network with wrong passwords of many names needs a proof of work", async () => {
    await using limited = await startDirectoryApp(slapd, { clock, env: { ...AUTHORITATIVE, RATE_LIMITS: "on" } });
    const uid = await newPerson(slapd);
    for (let count = 0; count < 30; count++) {
      expect(await signIn(limited, `unknown${count}`, "wrong")).toEqual(wrong);
    }
    const refused = await signInByDirectory(limited, uid, PASSWORD);
    const work = await solveWork(refused);
    expect(await outcomeOf(refused)).toEqual([429, "work-needed"]);
    expect((await signInByDirectory(limited, uid, PASSWORD, { work })).status).toBe(200);
  });
});

/** Extended response to StartTLS: success (RFC 4511, section 4.12). */
const startTlsAccepted = Buffer.from("300c02010178070a010004000400", "hex");
/** The same with the result code `unwillingToPerform`. */
const startTlsRefused = Buffer.from("300c02010178070a013504000400", "hex");
/** The first bytes of a bind response with success, whose error message is to come. */
const halfOfSuccess = Buffer.from("301002010261" + "0b0a010004000404", "hex");

describe.runIf(hasSlapd)("connections to a directory", async () => {
  if (!hasSlapd) return;
  const slapd = disposeAfterAll(await startSlapd());
  const uid = await newPerson(slapd);
  const [startTls, ldaps] = [{ LDAP_STARTTLS: "true" }, { LDAP_URL: `ldaps://localhost:${slapd.tlsPort}` }];
  const before = getCACertificates("default");
  beforeEach(() => setDefaultCACertificates([...before, readFileSync(privateCaFile, "utf8")]));
  afterEach(() => setDefaultCACertificates(before));

  async function outcomeWith(env: Record<string, string>): Promise<[number, string?]> {
    await using app = await startDirectoryApp(slapd, { env: { ...BY_NAME, ...env } });
    const outcome = await signIn(app, uid);
    // A directory that cannot be used says nothing about the password.
    if (outcome[0] === 503) expect(await countedGuesses(app)).toEqual([]);
    return outcome;
  }
  const at = ({ port }: Pick<WireTap, "port">, host = "127.0.0.1") => ({ LDAP_URL: `ldap://${host}:${port}` });

  it("a directory is reached by StartTLS and by LDAPS, with a certificate of a known authority", async () => {
    expect(await outcomeWith(startTls)).toEqual([200]);
    expect(await outcomeWith(ldaps)).toEqual([200]);
    expect(await outcomeWith({ LDAP_URL: `ldaps://127.0.0.1:${slapd.tlsPort}` })).toEqual([200]);
    setDefaultCACertificates(before);
    expect(await outcomeWith(startTls)).toEqual(unavailable);
    expect(await outcomeWith(ldaps)).toEqual(unavailable);
  });

  it("a certificate for another host is refused before any bind", async () => {
    await using tap = await startWireTap((client, received) => forward(client, received, slapd.port), "127.0.0.2");
    expect(await outcomeWith({ ...startTls, ...at(tap, "127.0.0.2") })).toEqual(unavailable);
  });

  it.each([
    ["refuses StartTLS", startTlsRefused],
    ["sends the beginning of a success before TLS", Buffer.concat([startTlsAccepted, halfOfSuccess])],
    ["sends no message", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["sends an endless message", Buffer.alloc(8192, Buffer.from([0x30, 0x84]))],
  ])("a directory that %s gets no password", async (_attack, answer) => {
    await using tap = await startWireTap((client) => client.write(answer));
    expect(await outcomeWith({ ...startTls, ...at(tap) })).toEqual(unavailable);
    expect(tap.received()).not.toContain(PASSWORD);
    expect(tap.connections).toBe(1);
  });

  it("a connection that is lost during a sign-in is not opened again without TLS", async () => {
    await using tap = await startWireTap((client) => client.end(startTlsAccepted));
    expect(await outcomeWith({ ...startTls, ...at(tap) })).toEqual(unavailable);
    await using cut = await startWireTap((client, received) => {
      forward(client, received, slapd.port).once("data", () => client.destroy());
    });
    expect(await outcomeWith(at(cut))).toEqual(unavailable);
    expect([tap.connections, cut.connections]).toEqual([1, 1]);
    expect(tap.received()).not.toContain(PASSWORD);
  });

  it("a directory that does not listen, or refuses the service account, is reported as unavailable", async () => {
    const gone = await startWireTap(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await outcomeWith(at(gone))).toEqual(unavailable);
    await using app = await startDirectoryApp(slapd, {
      env: { LDAP_SEARCH_BASE: SUFFIX, LDAP_BIND_DN: `cn=root,${SUFFIX}`, LDAP_BIND_PASSWORD: "not the password" },
    });
    expect(await signIn(app, uid)).toEqual(unavailable);
    expect(app.logLines.join()).toContain("the directory cannot be used");
    expect(app.logLines.join()).not.toMatch(/not the password|of the directory"/);
  });
});
