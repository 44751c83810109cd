import { paths } from "#contract/paths.ts";
import { callJson } from "./http-call.ts";
import type { ServerProcess } from "./server-process.ts";

export type Account = { token: string; username: string; password: string };

let people = 0;

/**
 * Registers with a server that runs, and verifies by the link that it prints where it has no mail server, or that one of
 * the `others` on its database prints, which may be quicker to deliver the mail.
 */
export async function signUp(server: ServerProcess, others: readonly ServerProcess[] = []): Promise<Account> {
  const { url } = server;
  const username = `ada${++people}`;
  const person = { firstname: "Ada", lastname: "Lovelace", username, email: `${username}@example.org` };
  const password = "correct horse battery";
  const body = { ...person, password };
  const registered = await callJson(url, { method: "POST", path: paths.register, body });
  if (registered.status !== 201) throw new Error(`Registration answered ${registered.status}`);
  const verified = await callJson<{ access_token: string }>(url, {
    method: "POST",
    path: paths.verify,
    body: { key: await printedKey([server, ...others], person.email) },
  });
  if (verified.status !== 200) throw new Error(`Verification answered ${verified.status}`);
  return { token: verified.body.access_token, username, password };
}

async function printedKey(servers: readonly ServerProcess[], email: string): Promise<string> {
  const link = new RegExp(`verify-email\\?key=([\\w-]+)&email=${encodeURIComponent(email)}`);
  for (;;) {
    const [key] = servers.flatMap(({ output }) => link.exec(output)?.[1] ?? []);
    if (key) return key;
    if (!servers[0]?.isRunning) throw new Error("The server ended before it printed the link");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
