import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { answered, box, chatsSettled, logOut, openSidebar, readsOfChats } from "./account-menu.ts";
import { expect, failedRequest, sendKey, signIn, test } from "./fixtures.ts";
import { answerNoLonger, answerWith, holdCalls, holdOtherCalls, jsonAnswer, recordCalls } from "./routed-calls.ts";

const heading = (page: Page) => page.getByRole("heading", { name: "Parley Chat Login" });
const stored = (page: Page) => page.evaluate(() => ({ ...localStorage }));

/** Builds a token as a server would, except for the signature. */
function tokenExpiringAt(ms: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part({ sub: "someone", exp: Math.floor(ms / 1000) })}.signature`;
}

/** Holds all calls but the check of the session until `letGo`, and the event stream for the whole test. */
async function holdFirstCalls(page: Page): Promise<{ letGo: () => void }> {
  const held = await holdOtherCalls(page, accountPaths.me);
  await holdCalls(page, conversationPaths.events);
  return held;
}

/** Stores the sign-in before any page is loaded. */
async function store(page: Page, token: string, user = "{}"): Promise<void> {
  await page.addInitScript(
    ([accessToken, person]) => {
      localStorage.setItem("access_token", accessToken);
      localStorage.setItem("user", person);
    },
    [token, user] as const,
  );
}

test("E8 Logout ends the session on the server and in the browser, and Back shows no private data @every-screen", async ({
  page,
  account,
  parley: { app, provider },
}) => {
  provider.reply = "A reply for one pair of eyes only.";
  const calls = recordCalls(page, accountPaths.logout);
  await page.goto("/chat");
  await box(page).fill("A private question");
  await box(page).press(await sendKey(page));
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(provider.reply)).toBeVisible();
  // Until the title arrives, the page may request the chat again.
  await expect(page).toHaveTitle(`${provider.title} · Parley`);

  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/login");
  await expect(heading(page)).toBeVisible();
  const { access_token, user } = await stored(page);
  expect([access_token, user]).toEqual([undefined, undefined]);
  // The page does not wait for the response to the logout, so the session may end a moment later.
  await expect.poll(async () => (await app.call("GET", accountPaths.me, { token: account.token })).status).toBe(401);
  expect(calls.map((call) => call.method())).toEqual(["POST"]);

  await page.goBack();
  await expect(heading(page)).toBeVisible();
  await expect(page.getByText(/private|pair of eyes/)).toHaveCount(0);
  await expect(page).toHaveURL("/login");
});

test("E8 the next person on this browser finds no data of the previous one @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const next = await signUp(app);
  await page.goto("/chat");
  await box(page).fill("Words that were never sent");
  await logOut(page);
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await expect(heading(page)).toBeVisible();
  expect(JSON.stringify(await stored(page))).not.toContain("never sent");
  expect(JSON.stringify(await stored(page))).not.toContain(account.user.username);
  await signIn(page, next.user.username, next.password);
  await expect(box(page)).toHaveValue("");
  const sidebar = await openSidebar(page);
  await expect(sidebar.getByText(next.user.username, { exact: true })).toBeVisible();
});

test.describe("a logout that does not reach the server", () => {
  test.use({ expectedErrors: [/Failed to load resource|^warning: Sign-out could not be told to the server/] });

  for (const [name, answer] of [
    ["fails", jsonAnswer(500, { detail: "The logout has failed" })],
    ["is not reached", "network"],
  ] as const) {
    test(`a logout ends the session here if the server ${name}, which is only logged @proof`, async ({
      page,
      account,
    }) => {
      const warnings: string[] = [];
      page.on("console", (message) => /Sign-out/.test(message.text()) && warnings.push(message.text()));
      await page.goto("/chat");
      await answerWith(page, accountPaths.logout, answer);
      await logOut(page);
      await expect(page).toHaveURL("/login");
      await expect(heading(page)).toBeVisible();
      await expect(page.getByRole("alert")).toHaveCount(0);
      expect(Object.keys(await stored(page))).not.toContain("access_token");
      expect(JSON.stringify(await stored(page))).not.toContain(account.user.username);
      await expect.poll(() => warnings).toHaveLength(1);
    });
  }

  test("Logout does not wait for the server's response @proof", async ({ page, account: _ }) => {
    const held = await holdCalls(page, accountPaths.logout);
    await page.goto("/chat");
    await logOut(page);
    await expect(heading(page)).toBeVisible();
    expect(Object.keys(await stored(page))).not.toContain("access_token");
    const response = page.waitForResponse((answer) => answer.url().endsWith(accountPaths.logout));
    held.letGo();
    expect((await response).ok()).toBe(true);
  });
});

/** Opens the chats. The event stream and the presets, which follow, are held, so that no refusal precedes the test's. */
async function openChatsOnly(page: Page): Promise<void> {
  for (const path of [conversationPaths.events, conversationPaths.presets]) await holdCalls(page, path);
  await page.goto("/chat");
  await expect(box(page)).toBeVisible();
  for (const path of readsOfChats) await answered(page, path);
}

test.describe("a session that ends on the server", () => {
  test.use({
    expectedErrors: [
      /status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING|^warning: The (stored sign-in|list of models|presets) could not be/,
    ],
  });

  test("a refused request of a lost session shows the sign-in, and the draft is restored afterwards", async ({
    page,
    account,
    parley,
  }) => {
    await openChatsOnly(page);
    await box(page).fill("Half a thought");
    await parley.app.call("POST", accountPaths.logout, { token: account.token });
    const sidebar = await openSidebar(page);
    await sidebar.getByRole("button", { name: "New chat" }).click();
    await expect(page).toHaveURL("/login");
    await expect(heading(page)).toBeVisible();
    expect(Object.keys(await stored(page))).not.toContain("access_token");
    expect(Object.keys(await stored(page))).not.toContain("user");

    await signIn(page, account.user.username, account.password);
    await expect(page).toHaveURL("/chat");
    await expect(box(page)).toHaveValue("Half a thought");
  });

  test("a message refused for a lost session is back in its box after signing in", async ({
    page,
    account,
    parley,
  }) => {
    await openChatsOnly(page);
    await parley.app.call("POST", accountPaths.logout, { token: account.token });
    await box(page).fill("A question that came too late");
    await box(page).press("Enter");
    await expect(heading(page)).toBeVisible();
    await signIn(page, account.user.username, account.password);
    await expect(box(page)).toHaveValue("A question that came too late");
  });

  test("a stored token that the server refuses is removed at the next request after the check @proof", async ({
    page,
    account,
    parley,
  }) => {
    await parley.app.call("POST", accountPaths.logout, { token: account.token });
    const first = await holdFirstCalls(page);
    const me = page.waitForResponse((answer) => answer.url().endsWith(accountPaths.me));
    await page.goto("/chat");
    expect((await me).status()).toBe(401);
    await expect(box(page)).toBeVisible();
    first.letGo();
    await expect(heading(page)).toBeVisible();
  });
});

test.describe("tokens that the server did not issue", () => {
  test.use({ expectedErrors: [/status of 40[13]|^warning: The (stored sign-in|list of models|presets) could not be/] });

  test("a token with exp in the past counts as signed out @proof", async ({ page }) => {
    await store(page, tokenExpiringAt(Date.now() - HOUR));
    const calls = recordCalls(page, conversationPaths.chatHistory);
    await page.goto("/chat");
    await expect(heading(page)).toBeVisible();
    await expect(page).toHaveURL("/login");
    expect(calls).toHaveLength(0);
  });

  for (const [name, token] of [
    ["a token whose exp is in the future", tokenExpiringAt(Date.now() + HOUR)],
    ["a token that cannot be decoded", "not-a-token"],
    ["a token whose middle is not JSON", "a.b.c"],
  ] as const) {
    test(`${name} counts as signed in until the server refuses it @proof`, async ({ page }) => {
      await store(page, token);
      const first = await holdFirstCalls(page);
      await page.goto("/");
      await expect(page).toHaveURL("/chat");
      await expect(box(page)).toBeVisible();
      const sidebar = await openSidebar(page);
      await expect(sidebar.getByText("User", { exact: true })).toBeVisible();
      await expect(sidebar.getByText("Loading...", { exact: true })).toBeVisible();
      first.letGo();
      await expect(page).toHaveURL("/login");
    });
  }
});

test("the check of the stored sign-in at the start updates the stored user @proof", async ({ page, account }) => {
  await page.goto("/login");
  await expect(box(page)).toBeVisible();
  const outdated = JSON.stringify({ ...account.user, firstname: "Someone", username: "formername" });
  await page.evaluate((user) => localStorage.setItem("user", user), outdated);
  const held = await holdCalls(page, accountPaths.me);
  await page.reload();
  const sidebar = await openSidebar(page);
  await expect(sidebar.getByText("formername", { exact: true })).toBeVisible();
  held.letGo();
  await expect(sidebar.getByText(account.user.username, { exact: true })).toBeVisible();
  expect(JSON.parse((await stored(page)).user ?? "")).toEqual(account.user);
});

test.describe("the check of the stored sign-in at the start", () => {
  test.use({ expectedErrors: [/Failed to load resource|^warning: The stored sign-in could not be checked/] });

  for (const [name, answer] of [
    ["fails", jsonAnswer(500, { detail: "The check has failed" })],
    ["gets no answer", "network"],
    ["is refused", jsonAnswer(401, { detail: "Please sign in." })],
  ] as const) {
    test(`a check of the stored sign-in that ${name} is only logged @proof`, async ({ page, account }) => {
      const warnings: string[] = [];
      page.on("console", (message) => /stored sign-in/.test(message.text()) && warnings.push(message.text()));
      await answerWith(page, accountPaths.me, answer);
      await page.goto("/chat");
      await expect.poll(() => warnings).toHaveLength(1);
      const sidebar = await openSidebar(page);
      await expect(sidebar.getByText(account.user.username, { exact: true })).toBeVisible();
      await expect(page.getByRole("alert")).toHaveCount(0);
      await expect(page).toHaveURL("/chat");
      await answerNoLonger(page, accountPaths.me);
    });
  }
});

test.describe("several tabs", () => {
  // The server may close a tab's event stream before the tab is notified of the logout.
  test.use({ expectedErrors: [/ERR_INCOMPLETE_CHUNKED_ENCODING/] });

  test("E8 other tabs follow a logout and a sign-in", async ({ page, account }) => {
    await page.goto("/chat");
    await chatsSettled(page);
    const other = await page.context().newPage();
    await other.goto("/chat");
    await expect(box(other)).toBeVisible();
    await logOut(other);
    await expect(heading(other)).toBeVisible();
    await expect(heading(page)).toBeVisible();
    await expect(page).toHaveURL("/login");
    await signIn(page, account.user.username, account.password);
    await expect(box(page)).toBeVisible();
    await expect(box(other)).toBeVisible();
    await expect(other).toHaveURL("/chat");
  });
});

test("all requests carry the token, and writing ones the anti-forgery header too @proof", async ({ page, account }) => {
  const reads = recordCalls(page, conversationPaths.chatHistory);
  const changes = recordCalls(page, conversationPaths.chats);
  await page.goto("/chat");
  const sidebar = await openSidebar(page);
  await sidebar.getByRole("button", { name: "New chat" }).click();
  await expect(page).toHaveURL(/\/chat\?c=/);
  const cookies = await page.context().cookies();
  const proof = cookies.find(({ name }) => name === "XSRF-TOKEN")?.value;
  const [read] = reads.map((request) => request.headers());
  const [change] = changes.map((request) => request.headers());
  expect(read).toMatchObject({ authorization: `Bearer ${account.token}` });
  expect(read).not.toHaveProperty("x-xsrf-token");
  expect(change).toMatchObject({ authorization: `Bearer ${account.token}`, "x-xsrf-token": proof });
});

test.describe("a deleted anti-forgery cookie", () => {
  test.use({ expectedErrors: [failedRequest(403)] });

  test("signing in, chatting and logging out work without the anti-forgery cookie", async ({
    page,
    parley: { app, provider },
  }) => {
    provider.reply = "Still here.";
    const { user, password } = await signUp(app);
    const forget = () => page.context().clearCookies();
    await page.goto("/login");
    await expect(heading(page)).toBeVisible();
    await forget();
    await signIn(page, user.username, password);
    await expect(box(page)).toBeVisible();
    await forget();
    await box(page).fill("Are you there?");
    await box(page).press("Enter");
    await expect(page.getByRole("region", { name: "Conversation" }).getByText(provider.reply)).toBeVisible();
    await expect(page.getByText("Are you there?", { exact: true }).last()).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page).toHaveTitle(`${provider.title} · Parley`);
    await forget();
    await logOut(page);
    await expect(heading(page)).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });
});
