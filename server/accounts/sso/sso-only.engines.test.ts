import { expect, it } from "vitest";
import { authConfigSchema, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { accountContextOf } from "../../../testing/accounts/account-context.ts";
import { newPerson, PASSWORD, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { newOidcPerson, SsoBrowser, startSsoApp } from "../../../testing/sso/sso-app.ts";
import { setPasswordFor } from "../administration/account-lifecycle.ts";
import { commandLine } from "../administration/administrator.ts";

const sso = disposeAfterAll(await startSsoApp({ env: { OIDC_ONLY: "true" } }));
const { app } = sso;

const { username } = (await signUp(app)).user;
const passkey = {
  id: "a",
  rawId: "a",
  type: "public-key",
  response: { clientDataJSON: "a", authenticatorData: "a", signature: "a" },
};

it.each<[string, object]>([
  [accountPaths.login, { username, password: PASSWORD }],
  [accountPaths.register, newPerson()],
  [accountPaths.forgotPassword, { email: username }],
  [accountPaths.resetPassword, { key: "key", password: "another horse battery" }],
  [accountPaths.passkeySignIn, { passkey }],
])("OIDC_ONLY refuses %s", async (path, body) => {
  const response = await app.call("POST", path, { body });
  expect([response.status, (await problemOf(response)).code]).toEqual([403, "sso-only"]);
});

it("with OIDC_ONLY the sign-in page knows it, and people sign in and up by the provider", async () => {
  const config = authConfigSchema.parse(await (await app.call("GET", accountPaths.authConfig)).json());
  expect(config).toMatchObject({ isSsoOnly: true, identityProviders: [{ slug: "oidc" }] });
  expect((await new SsoBrowser(sso, newOidcPerson()).signInBySso()).status).toBe(200);
});

it("with OIDC_ONLY a password is no way in beside the identity", async () => {
  const browser = new SsoBrowser(sso, newOidcPerson());
  const { user } = signedInSchema.parse(await (await browser.signInBySso()).json());
  await app.context.database.updateTable("users").set({ password_hash: "any" }).where("id", "=", user.id).execute();
  await browser.call("POST", accountPaths.proof, { sso: await browser.visit("prove") });
  const [identity] = (await (await browser.call("GET", accountPaths.identities)).json()) as { id: string }[];
  const refused = await browser.call("DELETE", accountPaths.identity(identity?.id ?? ""));
  expect((await problemOf(refused)).code).toBe("last-sign-in");
});

it("with OIDC_ONLY a password that a command sets leaves the identity, which is the only way in", async () => {
  const person = newOidcPerson();
  const { user } = signedInSchema.parse(await (await new SsoBrowser(sso, person).signInBySso()).json());
  const { database } = app.context;
  await database.updateTable("users").set({ password_hash: "any" }).where("id", "=", user.id).execute();
  const row = await database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();
  await setPasswordFor(accountContextOf(app), row, "another horse battery", commandLine);
  const again = signedInSchema.parse(await (await new SsoBrowser(sso, person).signInBySso()).json());
  expect(again.user.id).toBe(user.id);
});
