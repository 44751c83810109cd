import { waitFor } from "../app/wait-for.ts";
import { callJson } from "../http/http-call.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { newPerson, registerByMail } from "./sign-up.ts";

export type Account = { token: string; username: string; password: string };

/**
 * Registers at a server process without a mail server, and verifies with the link that it prints. One of the `others`
 * on the same database may deliver the mail first and print the link instead.
 */
export async function registerAtProcess(
  server: ServerProcess,
  others: readonly ServerProcess[] = [],
): Promise<Account> {
  const person = newPerson();
  const { token, password } = await registerByMail(
    {
      post: (path, body) => callJson(server.url, { method: "POST", path, body }),
      mailedKey: (email) => printedKey([server, ...others], email),
    },
    person,
  );
  return { token, username: person.username, password };
}

async function printedKey(servers: readonly ServerProcess[], email: string): Promise<string> {
  const link = new RegExp(`verify-email\\?key=([\\w-]+)&email=${encodeURIComponent(email)}`);
  return await waitFor("the printed link", () => {
    const [key] = servers.flatMap(({ output }) => link.exec(output)?.[1] ?? []);
    if (!key && !servers[0]?.isRunning) throw new Error("The server ended before it printed the link");
    return key;
  });
}
