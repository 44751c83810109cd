import { type RegisterRequest, type SignedIn, signedInSchema, type User } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { mailedKey } from "./filed-mails.ts";
import type { TestApp } from "./start-test-app.ts";

export type TestAccount = { token: string; user: User; password: string };

let people = 0;

/** What a new person types; each one another. */
export function newPerson(given: Partial<RegisterRequest> = {}): RegisterRequest {
  const username = given.username ?? `ada${++people}`;
  return {
    firstname: "Ada",
    lastname: "Lovelace",
    username,
    email: `${username}@example.org`,
    password: "correct horse battery",
    ...given,
  };
}

/** Registers, reads the mail and verifies, all through the public door of a server without a mail server. */
export async function signUp(app: TestApp, given: Partial<RegisterRequest> = {}): Promise<TestAccount> {
  const person = newPerson(given);
  const registered = await app.call("POST", paths.register, { body: person });
  if (registered.status !== 201) throw new Error(`Registration answered ${registered.status}`);
  const key = await mailedKey(app, person.email);
  const verified = await app.call("POST", paths.verify, { body: { key } });
  const { access_token, user }: SignedIn = signedInSchema.parse(await verified.json());
  return { token: access_token, user, password: person.password };
}

/** {@link signUp}, signed in by the password a moment ago: what asks for a proof has one. */
export async function signUpProved(app: TestApp, given: Partial<RegisterRequest> = {}): Promise<TestAccount> {
  const account = await signUp(app, given);
  const body = { username: account.user.username, password: account.password };
  const response = await app.call("POST", paths.login, { body });
  return { ...account, token: signedInSchema.parse(await response.json()).access_token };
}
