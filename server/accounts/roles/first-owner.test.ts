import { expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { EVIL_HOST, hostClaims } from "../../../testing/http/host-claims.ts";
import { jsonOf, send } from "../../../testing/http/send.ts";
import { sendRaw } from "../../../testing/http/send-raw.ts";
import type { Environment } from "../../config/config.ts";
import { missingOwner } from "./missing-owner.ts";

const local: Environment = { PUBLIC_URL: "http://localhost:3000" };

/** Registers. @returns the mailed key */
async function register(app: TestApp): Promise<string> {
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  return newestKeyFor(app, "verify-email", person.email);
}

/** Registers, and verifies with these headers. @returns the role of the verified account */
async function registerAndVerify(app: TestApp, headers: Record<string, string> = {}) {
  const body = { key: await register(app) };
  const answer = await send(app.url, { method: "POST", path: API_BASE + accountPaths.verify, body, headers });
  return signedInSchema.parse(jsonOf(answer)).user.role;
}

const sentenceOf = ({ context: { config, database, secretKey } }: TestApp) => missingOwner(config, database, secretKey);

it("P8 the first account that is verified on the only machine that reaches the server becomes its owner", async () => {
  await using app = await startTestApp({ env: local });
  expect([await registerAndVerify(app), await registerAndVerify(app)]).toEqual(["owner", undefined]);
});

it.each([
  { PUBLIC_URL: "https://chat.example.org" },
  { HOST: "0.0.0.0" },
  { HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" },
])("P8 no account becomes the owner of a server that others reach with %o, and the console has a link", async (env) => {
  await using app = await startTestApp({ env });
  expect(await sentenceOf(app)).toContain("has no owner: sign in, then open http");
  expect(await registerAndVerify(app)).toBeUndefined();
});

const ofProxies = hostClaims.filter(({ referer }) => referer === undefined);
it.each([
  ...ofProxies,
  { "x-forwarded-for": "127.0.0.1" },
  { "x-real-ip": "127.0.0.1" },
  { via: "1.1 front" },
  { "cf-connecting-ip": "127.0.0.1" },
])("P8 the owner is not named by a request of a proxy on this machine with %o", async (headers) => {
  for (const TRUST_PROXY of ["false", "true"]) {
    await using app = await startTestApp({ env: { ...local, TRUST_PROXY } });
    expect(await registerAndVerify(app, headers)).toBeUndefined();
    expect(await sentenceOf(app)).toContain("has no owner");
  }
});

it("P8 the owner is not named over HTTP/1.0, by which nginx forwards without a header of its own", async () => {
  await using app = await startTestApp({ env: local });
  const body = JSON.stringify({ key: await register(app) });
  const head = `POST ${API_BASE}${accountPaths.verify} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json`;
  const answer = await sendRaw(app.url, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const { user } = signedInSchema.parse(JSON.parse(answer.split("\r\n\r\n")[1] ?? ""));
  expect(user.role).toBeUndefined();
});

it("P8 a page of another site that names this machine by its own domain makes no owner", async () => {
  await using app = await startTestApp({ env: local });
  expect(await registerAndVerify(app, { host: `rebound.${EVIL_HOST}:3000` })).toBeUndefined();
});
