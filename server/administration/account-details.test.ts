import { afterAll, beforeAll, expect, it } from "vitest";
import { administeredAccountSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { newId } from "../database/new-id.ts";
import { countCalls } from "../usage/usage-store.ts";

const clock = new TestClock(Date.UTC(2026, 2, 15));
let app: TestApp;
let administrator: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock });
  administrator = await signUpAs(app, "administrator");
});
afterAll(() => app[Symbol.asyncDispose]());

async function read(id: string) {
  const response = await app.call("GET", administrationPaths.account(id), { token: administrator.token });
  const text = await response.text();
  return { text, account: administeredAccountSchema.parse(JSON.parse(text)) };
}

it("account details show sessions without network addresses, and the number of files", async () => {
  const ada = await signUp(app);
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  await app.context.database
    .updateTable("sessions")
    .set({ user_agent: userAgent, ip: "203.0.113.77" })
    .where("user_id", "=", ada.user.id)
    .execute();
  await uploadFile(app, { token: ada.token, name: "private-name.txt" });
  const { text, account } = await read(ada.user.id);
  expect(text).not.toMatch(/203\.0\.113|private-name/);
  const { id, sessions } = account;
  expect(account).toMatchObject({ id, username: ada.user.username, hasPassword: true, hasGoogle: false, files: 1 });
  expect([account.verifiedAt, account.disabledAt, account.deleteAt]).toEqual([clock.now(), undefined, undefined]);
  const times = { createdAt: clock.now(), lastSeenAt: clock.now() };
  expect(sessions).toEqual([{ id: sessions[0]?.id, method: "mail", browser: "Firefox", system: "Linux", ...times }]);
});

it("account details sum the usage of this month (UTC): replies without titles, tokens, and cost if there is a price", async () => {
  const { user } = await signUp(app);
  const unused = { month: "2026-03", replies: 0, inputTokens: 0, outputTokens: 0 };
  expect((await read(user.id)).account.usage).toEqual(unused);
  const shares = { cachedInputTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  const known = { model: "GPT:gpt-5-mini", inputTokens: 10, outputTokens: 3, ...shares, isEstimate: false };
  const priced = { ...known, costNanoUsd: 250_000_000, durationMs: 5 };
  const now = clock.now();
  const count = (calls: Parameters<typeof countCalls>[2]) => countCalls(app.context.database, user.id, calls);
  const reply = { ...priced, purpose: "reply" as const, messageId: newId() };
  await count([{ ...priced, purpose: "title", costNanoUsd: null, at: now }]);
  expect((await read(user.id)).account.usage).toEqual({ ...unused, inputTokens: 10, outputTokens: 3 });
  // A reply with two calls, a reply of the last month, and one of a temporary chat.
  await count([{ ...reply, at: now }]);
  await count([{ ...reply, at: now }]);
  await count([{ ...reply, messageId: newId(), at: now - 20 * DAY }]);
  await count([{ ...priced, purpose: "temporary", at: now }]);
  const usage = { month: "2026-03", replies: 2, inputTokens: 40, outputTokens: 12, cost: 0.75 };
  expect((await read(user.id)).account.usage).toEqual(usage);
});

it("account details answer an unknown or malformed id with not-found", async () => {
  for (const id of [newId(), "x", "%00", "%F0%9F%98%80"]) {
    const response = await app.call("GET", administrationPaths.account(id), { token: administrator.token });
    expect([response.status, (await problemOf(response)).code]).toEqual([404, "not-found"]);
  }
});
