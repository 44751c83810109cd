import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { transferPaths } from "#contract/transfer/paths.ts";

/** Output of a server: `soFar`, and the first match of a pattern, or null if the server ends before it. */
export type Output = { soFar: () => string; match: (wanted: RegExp) => Promise<RegExpExecArray | null> };

const PERSON = { username: "ada", email: "ada@example.org", firstname: "Ada", lastname: "Lovelace" };
const PASSWORD = "correct horse battery";
const QUESTION = "Which words does a visitor look for?";

/**
 * Simulates a person's first visit to a server without a mail server and without models. It uses every lazily loaded
 * part of the server.
 * @throws at the first unexpected result
 */
export async function visit(url: string, output: Output): Promise<void> {
  if (!(await output.match(/ is running on /))) throw new Error("The server does not start");
  const call = caller(url);
  const page = await call("GET", "/");
  for (const [, file = ""] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) await call("GET", file);
  if (!page.includes("/assets/")) throw new Error("The page has no script");
  await call("GET", "/api/docs/");

  await call("POST", API_BASE + accountPaths.register, { ...PERSON, password: PASSWORD });
  const link = await output.match(/verify-email\?key=([\w-]+)&/);
  const signedIn = await call("POST", API_BASE + accountPaths.verify, { key: link?.[1] ?? "" });
  const { access_token, user } = signedInSchema.parse(JSON.parse(signedIn));
  if (user.role !== undefined) throw new Error("The first person of a server that others reach owns it");

  const signed = caller(url, access_token);
  const { id }: { id: string } = JSON.parse(await signed("POST", API_BASE + conversationPaths.chats, {}));
  const reply = await signed("POST", `${API_BASE}${conversationPaths.chatSend(id)}?stream=1`, { message: QUESTION });
  if (!reply.includes("[DONE]")) throw new Error(`The reply did not end: ${reply.slice(-200)}`);
  const found = await signed("GET", `${API_BASE}${conversationPaths.search}?q=visitor`);
  if (!found.includes(id)) throw new Error(`The chat is not found: ${found}`);
  const exported = await signed("GET", `${API_BASE}${transferPaths.chatExport(id)}?format=html`);
  if (!exported.includes(QUESTION)) throw new Error("The page to print lacks the question");
  await becomeOwner(call, url, output);
}

/** Signs in with the password, which is the proof, and opens the link that the console shows. */
async function becomeOwner(call: ReturnType<typeof caller>, url: string, output: Output): Promise<void> {
  const link = await output.match(/become-owner#key=([\w-]+)/);
  const credentials = { username: PERSON.username, password: PASSWORD };
  const signedIn = await call("POST", API_BASE + accountPaths.login, credentials);
  const signed = caller(url, signedInSchema.parse(JSON.parse(signedIn)).access_token);
  await signed("POST", API_BASE + administrationPaths.ownership, { key: link?.[1] ?? "" });
  await signed("GET", API_BASE + administrationPaths.overview);
}

/** @returns a function that returns the text of a response, and throws if its status is not 2xx */
function caller(url: string, token?: string) {
  return async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return text;
  };
}
