import { createHmac } from "node:crypto";
import { CompactSign, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paths } from "#contract/paths.ts";
import { signUp, type TestAccount } from "../../../testing/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/start-test-app.ts";
import { deriveKey } from "../../secret-key.ts";

let app: TestApp;
let ada: TestAccount;
let header: Record<string, unknown>;
let claims: Record<string, unknown>;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
  [header, claims] = ada.token.split(".").slice(0, 2).map(decode) as [typeof header, typeof claims];
});
afterAll(() => app[Symbol.asyncDispose]());

const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const statusOf = async (token: string) => (await app.call("GET", paths.me, { token })).status;
const key = () => deriveKey(app.context.secretKey, "access-token");
const now = () => Math.floor(Date.now() / 1000);

/** Signed with our own key, as nobody else could: what is refused here is refused for what it says. */
function sign(payload: unknown, head: object = header, secret = key()): string {
  const signed = `${encode(head)}.${typeof payload === "string" ? payload : encode(payload)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

it("takes the token as it was given, and what these tests sign like it", async () => {
  expect(await statusOf(ada.token)).toBe(200);
  expect(await statusOf(sign(claims))).toBe(200);
});

it("E1 refuses a token in which any character is another one", async () => {
  for (let at = 0; at < ada.token.length; at++) {
    const character = ada.token[at] === "A" ? "B" : "A";
    const changed = ada.token.slice(0, at) + character + ada.token.slice(at + 1);
    expect(`${at}: ${await statusOf(changed)}`).toBe(`${at}: 401`);
  }
});

it("E1 refuses other spellings of the same signature", async () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = ada.token.at(-1) ?? "";
  for (const character of alphabet) {
    if (character !== last) expect(await statusOf(ada.token.slice(0, -1) + character)).toBe(401);
  }
  for (const spelling of [`${ada.token}=`, `${ada.token}==`, `${ada.token}.`, `.${ada.token}`, `${ada.token}A`]) {
    expect(await statusOf(spelling)).toBe(401);
  }
});

it("E1 refuses what is signed in another way", async () => {
  const none = new UnsecuredJWT(claims).encode();
  const forged = (alg: string) => `${encode({ ...header, alg })}.${encode(claims)}.`;
  const other = await Promise.all(
    ["HS384", "HS512"].map((alg) =>
      new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(Buffer.concat([key(), key()])),
    ),
  );
  const secrets = ["secret", "", "t0p-s3cr3t", app.context.secretKey].map((text) =>
    sign(claims, header, new Uint8Array(Buffer.from(text.padEnd(1, " ")))),
  );
  const purposes = ["anti-forgery", "email-key", "google-nonce"].map((purpose) =>
    sign(claims, header, deriveKey(app.context.secretKey, purpose)),
  );
  const noneSpellings = ["none", "None", "NONE", ""].map(forged);
  for (const token of [none, ...noneSpellings, ...other, ...secrets, ...purposes])
    expect(await statusOf(token)).toBe(401);
});

it("E1 refuses headers that ask for anything else", async () => {
  const heads: object[] = [
    { ...header, alg: "RS256" },
    { ...header, typ: "JWT" },
    { ...header, typ: "verify-email" },
    { alg: "HS256" },
    { ...header, crit: ["exp"], exp: 1 },
    { ...header, b64: false, crit: ["b64"] },
  ];
  for (const head of heads) expect(`${JSON.stringify(head)} ${await statusOf(sign(claims, head))}`).toMatch(/ 401$/);
});

it("E1 never follows what a header points to", async () => {
  const jwk = { kty: "oct", k: Buffer.from("attacker").toString("base64url") };
  const pointers = { jwk, jku: `${app.url}/k`, x5u: `${app.url}/x`, x5c: ["MIIB"], kid: "../../dev/null' or 1=1" };
  const token = await new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ ...header, alg: "HS256", ...pointers, jwk })
    .sign(Buffer.from("attacker"));
  expect(await statusOf(token)).toBe(401);
});

it("E1 refuses claims that are missing, of another type, of others or out of time", async () => {
  const changes: object[] = [
    ...["iss", "aud", "sub", "sid", "exp", "iat"].map((name) => ({ [name]: undefined })),
    { exp: String(now() + 100) },
    { exp: now() + 100.5 },
    { exp: -1 },
    { exp: now() - 1 },
    { exp: null },
    { nbf: now() + 1000 },
    { iss: "https://accounts.google.com" },
    { aud: "parley-mail" },
    { sub: 1 },
    { sub: [claims.sub] },
    { sub: "' or 1=1" },
    { sub: "\0" },
    { sub: "018f2c5e-0000-7000-8000-000000000000" },
    { sid: "018f2c5e-0000-7000-8000-000000000000" },
    { sid: { "!=": "" } },
  ];
  for (const change of changes) {
    const told = `${JSON.stringify(change)} ${await statusOf(sign({ ...claims, ...change }))}`;
    expect(told).toMatch(/ 401$/);
  }
});

it("E1 refuses payloads that are no objects, and other serialisations", async () => {
  const [protectedHeader = "", payload = "", signature = ""] = ada.token.split(".");
  for (const value of ["null", "[]", "1", '"x"', "{", ""]) {
    expect(await statusOf(sign(Buffer.from(value).toString("base64url")))).toBe(401);
  }
  const json = JSON.stringify({ protected: protectedHeader, payload, signature });
  for (const token of [
    json,
    Buffer.from(json).toString("base64url"),
    `${protectedHeader}.${payload}`,
    "a.b.c",
    "..",
    ".",
  ]) {
    expect(await statusOf(token)).toBe(401);
  }
});

it("refuses a token that was good once its time is over, whatever its session has left", async () => {
  const clock = new TestClock(Date.now());
  await using later = await startTestApp({ clock });
  const { token } = await signUp(later);
  const claimed = decode(token.split(".")[1] ?? "");
  const exp = Math.floor(clock.now() / 1000) + 10;
  const short = sign({ ...claimed, exp }, header, deriveKey(later.context.secretKey, "access-token"));
  const statusThen = async (one: string) => (await later.call("GET", paths.me, { token: one })).status;
  expect([await statusThen(short), await statusThen(short)]).toEqual([200, 200]);
  clock.advance(10_000);
  expect([await statusThen(short), await statusThen(token)]).toEqual([401, 200]);
});

it("binds a session to its account", async () => {
  const eve = await signUp(app);
  const [, payload = ""] = eve.token.split(".");
  expect(await statusOf(sign({ ...claims, sid: decode(payload).sid }))).toBe(401);
});
