import { type RegisterRequest, type SignedIn, signedInSchema, type User } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { insertUser } from "../../server/accounts/account-store.ts";
import { Passwords } from "../../server/accounts/passwords.ts";
import { toPendingAccount } from "../../server/accounts/registration/register.ts";
import { beginSession, toSignedIn } from "../../server/accounts/sessions/begin-session.ts";
import type { NewSession } from "../../server/accounts/sessions/sessions.ts";
import type { Client } from "../../server/http/client.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { accountContextOf } from "./account-context.ts";
import { mailedKey } from "./filed-mails.ts";

export type TestAccount = { token: string; user: User; password: string };

/** Default password of test accounts. */
export const PASSWORD = "correct horse battery";

/** The server's view of the client behind `TestApp.call`. */
const program: Client = {
  ip: "127.0.0.1",
  userAgent: "node",
  isBrowser: false,
  device: null,
  isLocal: true,
  isTrusted: false,
};

let people = 0;

/** Returns the body of a registration, with a unique username and address. */
export function newPerson(given: Partial<RegisterRequest> = {}): RegisterRequest {
  const username = given.username ?? `ada${++people}`;
  return {
    firstname: "Ada",
    lastname: "Lovelace",
    username,
    email: `${username}@example.org`.toLowerCase(),
    password: PASSWORD,
    ...given,
  };
}

/**
 * Inserts a verified account into the server's database and begins its session, without HTTP, mail or a new password
 * hash. The rows are those that {@link registerByMail} leaves, except for the mail.
 */
export async function signUp(app: TestApp, given: Partial<RegisterRequest> = {}): Promise<TestAccount> {
  return insertAccount(app, newPerson(given), ["mail"]);
}

/** {@link signUp}, then a session by password: its token passes routes that require recent authentication. */
export async function signUpProved(app: TestApp, given: Partial<RegisterRequest> = {}): Promise<TestAccount> {
  return insertAccount(app, newPerson(given), ["mail", "password"]);
}

/** @returns the last session's token */
async function insertAccount(
  app: TestApp,
  person: RegisterRequest,
  methods: NewSession["method"][],
): Promise<TestAccount> {
  const { context } = app;
  const accounts = accountContextOf(app);
  const now = context.clock.now();
  const user = { ...toPendingAccount(person, await hashOnce(person.password), now), verified_at: now };
  const fresh = await context.database.transaction().execute(async (db) => {
    await insertUser(db, user);
    await accounts.securityLog.record(db, "registered", user.id, program);
    await accounts.securityLog.record(db, "verified", user.id, program);
    const sessions = [];
    for (const method of methods) sessions.push(await beginSession(accounts, db, user, { client: program, method }));
    return sessions.at(-1);
  });
  if (!fresh) throw new Error("An account without a session has no token");
  const signedIn = await toSignedIn(accounts, fresh);
  return { token: signedIn.access_token, user: signedIn.user, password: person.password };
}

const hashes = new Map<string, Promise<string>>();

/** Hashing takes 19 MiB and tens of milliseconds, so a process hashes each password once. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? new Passwords().hash(password, { network: "127.0.0.1", account: "tests" });
  hashes.set(password, hash);
  return hash;
}

/** Connects {@link registerByMail} to a server: in this process, in another one, or behind a proxy. */
export type RegistrationTransport = {
  /** Posts JSON to an API path, relative to the API's base. */
  post(path: string, body: object): Promise<{ status: number; body: unknown }>;
  /** Returns the key of the newest verification mail to an address. */
  mailedKey(email: string): Promise<string>;
};

/** Registers, reads the mail and verifies, like a user. @throws Error if the server refuses */
export async function registerByMail(transport: RegistrationTransport, person: RegisterRequest): Promise<TestAccount> {
  const registered = await transport.post(accountPaths.register, person);
  if (registered.status !== 201) throw new Error(`Registration answered ${answerText(registered)}`);
  const verified = await transport.post(accountPaths.verify, { key: await transport.mailedKey(person.email) });
  if (verified.status !== 200) throw new Error(`Verification answered ${answerText(verified)}`);
  const { access_token, user }: SignedIn = signedInSchema.parse(verified.body);
  return { token: access_token, user, password: person.password };
}

const answerText = ({ status, body }: { status: number; body: unknown }) => `${status} ${JSON.stringify(body)}`;

/** {@link registerByMail} at a server of this process without a mail server, for tests about registration itself. */
export function signUpByMail(app: TestApp, given: Partial<RegisterRequest> = {}): Promise<TestAccount> {
  const transport: RegistrationTransport = {
    post: async (path, body) => {
      const response = await app.call("POST", path, { body });
      return { status: response.status, body: await response.json() };
    },
    mailedKey: (email) => mailedKey(app, email),
  };
  return registerByMail(transport, newPerson(given));
}
