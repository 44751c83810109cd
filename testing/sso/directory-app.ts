import process from "node:process";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { findSlapd } from "../../scripts/find-slapd.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../app/start-test-app.ts";
import { SERVICE, Slapd, SUFFIX } from "../servers/slapd.ts";

const slapdPath = findSlapd();

/** Whether tests of directories run: with `CI` they fail where slapd is missing. */
export const hasSlapd = slapdPath !== undefined || (process.env.CI ?? "") !== "";

export const startSlapd = () => Slapd.start(slapdPath ?? "slapd");

/** Starts a server whose people are found in a directory by a search. */
export function startDirectoryApp(slapd: Slapd, { env = {}, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const search = { LDAP_SEARCH_BASE: SUFFIX, ...SERVICE };
  const byName = "LDAP_USER_DN" in env || "LDAP_SEARCH_BASE" in env;
  return startTestApp({ ...options, env: { LDAP_URL: slapd.url, ...(!byName && search), ...env } });
}

/** Signs in with a name and password of the directory. */
export function signInByDirectory(
  app: TestApp,
  username: string,
  password: string,
  given: Record<string, unknown> = {},
): Promise<Response> {
  return app.call("POST", accountPaths.ssoDirectory, { body: { provider: "ldap", username, password, ...given } });
}

/** @throws Error if the sign-in is refused */
export async function signedInByDirectory(app: TestApp, username: string, password: string): Promise<SignedIn> {
  const response = await signInByDirectory(app, username, password);
  if (!response.ok) throw new Error(`The sign-in answered ${response.status}: ${await response.text()}`);
  return signedInSchema.parse(await response.json());
}
