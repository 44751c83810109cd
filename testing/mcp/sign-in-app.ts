import { type ToolSignInAnswer, toolSignInAttemptSchema, toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import type { FileMcpServer } from "../../server/config/mcp-file.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../app/start-test-app.ts";
import type { SignInServer } from "./sign-in-server.ts";

/** Key of the tool server of {@link startSignInApp}. */
export const NOTES = "file:notes";

/** Returns a tool server as the operator's file names it. */
export const notesServerAt = (url: string): FileMcpServer => ({
  key: NOTES,
  slug: "notes",
  name: "Notes",
  source: "file",
  transport: { kind: "http", url, headers: {} },
  isTrusted: false,
  chosenTools: null,
  groups: null,
});

/** Starts a server of Parley with one tool server. Of other addresses, 127.0.0.1 counts as public. */
export function startSignInApp(server: SignInServer, options: TestAppOptions = {}): Promise<TestApp> {
  return startTestApp({
    mcpServers: [notesServerAt(server.url)],
    isPublicAddress: (address) => address === "127.0.0.1",
    ...options,
  });
}

/** Begins a sign-in. @returns the address at the authorisation server */
export async function beginSignIn(app: TestApp, token: string, id = NOTES): Promise<string> {
  const response = await app.call("POST", toolSignInPaths.attempt(id), { token });
  if (!response.ok) throw new Error(`The attempt answered ${response.status}: ${await response.text()}`);
  return toolSignInAttemptSchema.parse(await response.json()).address;
}

export const finishSignIn = (app: TestApp, token: string, answer: ToolSignInAnswer): Promise<Response> =>
  app.call("POST", toolSignInPaths.completion, { token, body: answer });

/** Signs in as a person whose browser follows all redirects. */
export async function signInToNotes(app: TestApp, server: SignInServer, token: string): Promise<Response> {
  return finishSignIn(app, token, await server.authorisation.visit(await beginSignIn(app, token)));
}
