import { createHmac, createPublicKey } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { SECOND } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { GOOGLE_CLIENT_ID } from "../../../testing/servers/key-server.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

let people = 0;

/** A Google account that no other test uses. */
function googler(given: Record<string, unknown> = {}) {
  const number = ++people;
  return { sub: `20000000000000000${number}`, email: `token${number}@example.org`, ...given };
}

const issue = (claims: Record<string, unknown>) => google.issueIdToken(claims, clock.now());
const post = (id_token: string) => app.call("POST", accountPaths.google, { body: { id_token } });
const users = () => app.context.database.selectFrom("users").selectAll();

const refused = async (token: string) => {
  const response = await post(token);
  expect(`${token.slice(0, 200)} ${response.status}`).toBe(`${token.slice(0, 200)} 400`);
  expect(problemSchema.parse(await response.json())).toMatchObject({ code: "bad-google-token" });
};

it("F1 refuses Google tokens that are signed by another key, in another way or not at all", async () => {
  const token = await issue(googler());
  const [head = "", payload = "", signature = ""] = token.split(".");
  const header = JSON.parse(Buffer.from(head, "base64url").toString()) as { kid: string };
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  const untrustedKeys = await generateKeyPair("RS256");
  await refused(
    await new SignJWT(claims).setProtectedHeader({ ...header, alg: "RS256" }).sign(untrustedKeys.privateKey),
  );
  const jwk = await exportJWK(untrustedKeys.publicKey);
  await refused(await new SignJWT(claims).setProtectedHeader({ alg: "RS256", jwk }).sign(untrustedKeys.privateKey));
  await refused(new UnsecuredJWT(claims).encode());
  const pem = createPublicKey({ key: google.publicJwk as never, format: "jwk" }).export({
    type: "spki",
    format: "pem",
  });
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const mixed = `${encode({ ...header, alg: "HS256" })}.${payload}`;
  for (const secret of [pem, JSON.stringify(google.publicJwk), String(google.publicJwk.n), GOOGLE_CLIENT_ID]) {
    await refused(`${mixed}.${createHmac("sha256", secret).update(mixed).digest("base64url")}`);
  }
  for (const alg of ["none", "None", "NONE", ""]) await refused(`${encode({ ...header, alg })}.${payload}.`);
  for (const more of [
    { kid: "unknown" },
    { kid: undefined },
    { jwk: google.publicJwk },
    { jku: "http://127.0.0.1:1/keys" },
  ]) {
    await refused(`${encode({ ...header, ...more })}.${payload}.${signature}`);
  }
  await refused(`${head}.${payload}.${signature.slice(1)}`);
  const tampered = Buffer.from(JSON.stringify({ ...claims, sub: "1" })).toString("base64url");
  await refused(`${head}.${tampered}.${signature}`);
  for (const junk of ["x", "..", "a.b.c", `${head}.${payload}`, `${head}.${payload}.`]) await refused(junk);
});

/** Each call uses a Google account of its own. */
const refusedWith = async (claims: object) => {
  const person = googler();
  await refused(await issue({ ...person, ...claims }));
  expect(await users().where("google_subject", "=", person.sub).execute()).toEqual([]);
};
const now = Date.UTC(2026, 0, 1) / SECOND;

it.each(
  [
    "https://evil.example",
    "accounts.google.com.evil.example",
    "https://accounts.google.com.evil.example",
    "http://accounts.google.com",
    "https://accounts.google.com/",
    "",
    ["accounts.google.com"],
    null,
    undefined,
  ].map((iss) => ({ iss })),
)("F2 refuses Google tokens with %j, and creates no account", refusedWith);

it.each(
  [
    "other.apps.googleusercontent.com",
    [GOOGLE_CLIENT_ID],
    [GOOGLE_CLIENT_ID, "other"],
    ` ${GOOGLE_CLIENT_ID}`,
    "",
    null,
    undefined,
  ].map((aud) => ({ aud })),
)("F3 refuses Google tokens with %j, and creates no account", refusedWith);

it.each([
  { exp: now - 1 },
  { exp: now - 61 },
  { exp: undefined },
  { exp: "9999999999" },
  { iat: now + 61 },
  { iat: now + 120 },
  { iat: undefined },
  { iat: String(now) },
  { nbf: now + 600 },
])("F4 refuses Google tokens with %j, and creates no account", refusedWith);

it.each([false, "false", "true", null, 0, 1, undefined].map((email_verified) => ({ email_verified })))(
  "F6 refuses Google tokens with %j, and creates no account",
  refusedWith,
);

it.each([{ sub: undefined }, { sub: "" }])("F8 refuses Google tokens with %j, and creates no account", refusedWith);

it.each([{ email: undefined }, { email: "ada＠example.org" }, { email: "ada@example.org\r\nBcc: eve@example.org" }])(
  "D9 refuses Google tokens with %j, and creates no account",
  refusedWith,
);

it("F2 accepts both spellings of Google's issuer", async () => {
  for (const iss of ["accounts.google.com", "https://accounts.google.com"]) {
    expect((await post(await issue(googler({ iss })))).status).toBe(200);
  }
});

it.each(["", undefined, null, 5, ["x"], "x".repeat(20_000)])(
  "refuses a Google sign-in with %j instead of a token",
  async (id_token) => {
    const response = await app.call("POST", accountPaths.google, { body: { id_token } });
    expect(response.status).toBe(400);
  },
);
