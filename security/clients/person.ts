import type { RegisterRequest, SignedIn, User } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { newPerson, registerByMail } from "../../testing/accounts/sign-up.ts";
import { type Answer, jsonOf } from "../../testing/http/send.ts";
import type { ReceivedMail } from "../../testing/servers/mail-server.ts";
import type { Site } from "../site.ts";

export { newPerson, PASSWORD } from "../../testing/accounts/sign-up.ts";

export type Person = { token: string; user: User; username: string; email: string; password: string };

export const register = (site: Site, person: RegisterRequest): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + accountPaths.register, body: person });

export const signIn = (site: Site, { username, password }: { username: string; password: string }): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + accountPaths.login, body: { username, password } });

/** {@link registerByMail} at a site with the mail server. */
export async function signUp(site: Site, given: Partial<RegisterRequest> = {}): Promise<Person> {
  const person = newPerson(given);
  const account = await registerByMail(
    {
      post: async (path, body) => {
        const answer = await site.send({ method: "POST", path: API_BASE + path, body });
        return { status: answer.status, body: jsonOf(answer) };
      },
      mailedKey: (email) => nextKey(site, email),
    },
    person,
  );
  const { username, email } = person;
  return { ...account, username, email };
}

/** Signs in again. @returns a new token */
export async function newToken(site: Site, person: Pick<Person, "username" | "password">): Promise<string> {
  const answer = await signIn(site, person);
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`);
  return jsonOf<SignedIn>(answer).access_token;
}

/** Timeout of a mail, which may be one of many. */
const MAIL_MS = 60_000;

/** Waits for the next mail to an address. @throws if none arrives */
export async function nextMail(site: Site, email: string): Promise<ReceivedMail> {
  const late = AbortSignal.timeout(MAIL_MS);
  const none = new Promise<never>((_, reject) => {
    late.addEventListener("abort", () => reject(new Error(`No mail to ${email}`)));
  });
  return Promise.race([site.mail.waitForMail(email), none]);
}

/** Waits for the next mail with a key to an address. @returns the key */
export async function nextKey(site: Site, email: string): Promise<string> {
  for (;;) {
    const { text } = await nextMail(site, email);
    const key = keyIn(text);
    if (key) return key;
  }
}

export const keyIn = (text: string): string | undefined => /[?&#]key=([\w-]+)/.exec(text)?.[1];
