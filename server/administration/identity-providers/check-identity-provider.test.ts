import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { OwnerOfProviders } from "../../../testing/administration/identity-providers.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { WebServer } from "../../../testing/browsing/web-server.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";

const METADATA = "/realms/school/.well-known/openid-configuration";

let web: WebServer;
let app: TestApp;
let owner: OwnerOfProviders;
let issuer: string;
beforeAll(async () => {
  web = new WebServer();
  await web.listen("127.0.0.1");
  issuer = web.url("/realms/school", "127.0.0.1");
  app = await startTestApp({ env: { RATE_LIMITS: "off" } });
  owner = new OwnerOfProviders(app, await signUpAs(app, "owner"));
});
beforeEach(() => web.answers.clear());
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

const metadata = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
});

/** Publishes metadata at the address of the issuer. */
function publish(document: object, status = 200): void {
  const headers = { "content-type": "application/json" };
  web.answers.set(METADATA, { status, headers, body: JSON.stringify(document) });
}

it("a test reports what the metadata state, and what they leave out", async () => {
  publish(metadata());
  const { host } = new URL(issuer);
  const plain = { ok: true, issuer, authorizationHost: host, tokenHost: host, missingScopes: [] };
  const without = { pkce: "unstated", hasBackChannelLogout: false, hasEndSession: false };
  expect(await owner.check({ issuer })).toEqual({ ...plain, ...without });
  publish({
    ...metadata(),
    code_challenge_methods_supported: ["plain", "S256"],
    backchannel_logout_supported: true,
    end_session_endpoint: `${issuer}/end`,
    scopes_supported: ["openid", "profile"],
  });
  expect(await owner.check({ issuer: `${issuer}/.well-known/openid-configuration` })).toEqual({
    ...plain,
    ...{ pkce: "stated", hasBackChannelLogout: true, hasEndSession: true, missingScopes: ["email"] },
  });
  publish({ ...metadata(), code_challenge_methods_supported: ["plain"] });
  expect(await owner.check({ issuer })).toMatchObject({ ok: true, pkce: "refused" });
});

it("a test of a stored provider reads its metadata anew, and sends no secret", async () => {
  const { slug } = await owner.add({ name: "School", issuer, clientId: "parley", clientSecret: "secret-canary-0123" });
  publish(metadata());
  expect(await owner.check({ slug })).toMatchObject({ ok: true });
  web.answers.clear();
  expect(await owner.check({ slug })).toMatchObject({ ok: false, code: "not-found", status: 404 });
  expect(JSON.stringify(web.requests)).not.toMatch(/canary/);
  await owner.remove(slug);
});

it("a test names the issuer of metadata that are those of another one", async () => {
  publish({ ...metadata(), issuer: `${issuer}/` });
  expect(await owner.check({ issuer })).toMatchObject({ ok: false, code: "other-issuer", issuer: `${issuer}/` });
});

it("a test reports a page that is no metadata, missing endpoints, and an error of the provider", async () => {
  web.answers.set(METADATA, { body: "<html>" });
  expect(await owner.check({ issuer })).toMatchObject({ ok: false, code: "not-a-provider" });
  publish({ name: "Something else" });
  expect(await owner.check({ issuer })).toMatchObject({ ok: false, code: "not-a-provider" });
  publish({ issuer });
  expect(await owner.check({ issuer })).toMatchObject({ ok: false, code: "incomplete" });
  publish({}, 503);
  expect(await owner.check({ issuer })).toMatchObject({ ok: false, code: "failed", status: 503 });
});

it("a test reports why a provider cannot be reached", async () => {
  const { origin: closed, host } = new URL(await unusedAddress());
  const refused = { ok: false, code: "unreachable", reason: "refused", host };
  expect(await owner.check({ issuer: closed })).toEqual(refused);
  web.answers.set(METADATA, { status: 302, headers: { location: "http://elsewhere.test/" } });
  expect(await owner.check({ issuer })).toMatchObject({ ok: false, code: "unreachable", reason: "redirect" });
});

it("a test refuses an unknown provider and an issuer that cannot be saved", async () => {
  const { token } = await signUpAs(app, "owner");
  const check = async (body: object) =>
    (await problemOf(await app.call("POST", administrationPaths.identityProviderCheck, { token, body }))).code;
  expect(await check({ slug: "nobody" })).toBe("not-found");
  expect(await check({ issuer: "http://169.254.169.254/" })).toBe("invalid-input");
  expect(await check({})).toBe("invalid-input");
});
