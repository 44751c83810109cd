import { paths } from "#contract/paths.ts";
import type { ServerProcess } from "../../testing/server-process.ts";
import { callJson } from "../clients/http-call.ts";

export type Account = { token: string };

let people = 0;

/** Registers with a server that runs, and verifies by the link that it prints where it has no mail server. */
export async function signUp(server: ServerProcess): Promise<Account> {
  const { url } = server;
  const username = `ada${++people}`;
  const person = { firstname: "Ada", lastname: "Lovelace", username, email: `${username}@example.org` };
  const body = { ...person, password: "correct horse battery" };
  const registered = await callJson(url, { method: "POST", path: paths.register, body });
  if (registered.status !== 201) throw new Error(`Registration answered ${registered.status}`);
  const verified = await callJson<{ access_token: string }>(url, {
    method: "POST",
    path: paths.verify,
    body: { key: await printedKey(server, person.email) },
  });
  if (verified.status !== 200) throw new Error(`Verification answered ${verified.status}`);
  return { token: verified.body.access_token };
}

async function printedKey(server: ServerProcess, email: string): Promise<string> {
  const link = new RegExp(`verify-email\\?key=([\\w-]+)&email=${encodeURIComponent(email)}`);
  for (;;) {
    const key = link.exec(server.output)?.[1];
    if (key) return key;
    if (!server.isRunning) throw new Error("The server ended before it printed the link");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
