import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { deriveKey } from "../../config/secret-key.ts";

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
const statusOf = async (token: string) => (await app.call("GET", accountPaths.me, { token })).status;
const key = () => deriveKey(app.context.secretKey, "access-token");

/** Signs with the server's own key, so that a refusal is due to the content alone. */
function sign(payload: unknown, head: object = header, secret = key()): string {
  const signed = `${encode(head)}.${typeof payload === "string" ? payload : encode(payload)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

it("accepts the issued access token, and one that these tests sign in the same way", async () => {
  expect(await statusOf(ada.token)).toBe(200);
  expect(await statusOf(sign(claims))).toBe(200);
});

/** One example of each kind of refusal. `security/accounts/tokens.ts` tries the whole list of forged tokens (E1). */
it("refuses forged access tokens, and tokens for unknown sessions", async () => {
  const nobody = "018f2c5e-0000-7000-8000-000000000000";
  const changes = [{ aud: "parley-mail" }, { sub: nobody }, { sid: nobody }];
  for (const token of [`${ada.token}=`, "a.b.c", ...changes.map((change) => sign({ ...claims, ...change }))]) {
    expect([token, await statusOf(token)]).toEqual([token, 401]);
  }
  const basic = await app.call("GET", accountPaths.me, { headers: { authorization: "Basic YTpi" } });
  expect(basic.status).toBe(401);
});

it("refuses an expired access token, even if its session is still valid", async () => {
  const clock = new TestClock(Date.now());
  await using later = await startTestApp({ clock });
  const { token } = await signUp(later);
  const claimed = decode(token.split(".")[1] ?? "");
  const exp = Math.floor(clock.now() / 1000) + 10;
  const short = sign({ ...claimed, exp }, header, deriveKey(later.context.secretKey, "access-token"));
  const statusThen = async (one: string) => (await later.call("GET", accountPaths.me, { token: one })).status;
  expect([await statusThen(short), await statusThen(short)]).toEqual([200, 200]);
  clock.advance(10_000);
  expect([await statusThen(short), await statusThen(token)]).toEqual([401, 200]);
});

it("an access token binds a session to its account", async () => {
  const eve = await signUp(app);
  const [, payload = ""] = eve.token.split(".");
  expect(await statusOf(sign({ ...claims, sid: decode(payload).sid }))).toBe(401);
});
