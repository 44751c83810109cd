import { sharePaths } from "#contract/shares/paths.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { shareChat, tokenOf } from "../testing/shares/share-chat.ts";
import { clipboardText } from "./clipboard.ts";
import { expect, failedRequest, signIn, test } from "./fixtures.ts";
import { expectNoOverhang, expectTabOrder, expectTouchable } from "./looks.ts";
import { shareTides } from "./screens/links.ts";

const title = "Tides, in simple words";

test("a link is read without an account, cookies and other servers, on a screen and on a phone @phone", async ({
  page,
  context,
  isMobile,
  parley: { app },
}) => {
  const { path } = await shareTides(app);
  const response = await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveTitle(title);
  await expect(page.getByText("Written with the help of an assistant")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "gpt-5" })).toBeVisible();
  await expect(page.locator("math mfrac")).toBeVisible();
  await expect(page.getByText("Explain the tides.")).toBeVisible();
  await expectNoOverhang(page);
  if (isMobile) await expectTouchable(page.locator(".code-bar"));
  expect(response?.headers()["x-robots-tag"]).toBe("noindex");
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => document.cookie + JSON.stringify(localStorage))).toBe("{}");
});

test("a link is read with the keyboard, and its code is copied", async ({ page, context, parley: { app } }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { path } = await shareTides(app, "[A page](https://example.org/)\n\n```ts\nlet tide = 1;\n```");
  await page.goto(path);
  const copy = page.getByRole("button", { name: "Copy" });
  await expect(copy).toBeVisible();
  await expectTabOrder(page, [page.getByRole("link", { name: "A page" }), copy]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copied" })).toBeFocused();
  expect(await clipboardText(page)).toBe("let tide = 1;");
});

for (const [language, words, direction] of [
  ["ar", "كُتب بمساعدة مساعد ذكي", "rtl"],
  ["de", "Mit Hilfe eines Assistenten geschrieben", "ltr"],
  ["ja", "アシスタントの助けを借りて書かれました", "ltr"],
] as const) {
  test(`a link is in the language of its reader: ${language} @every-screen`, async ({ page, parley: { app } }) => {
    const { path } = await shareTides(app);
    await page.addInitScript((tag) => localStorage.setItem("parley.language", tag), language);
    await page.goto(path);
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("dir", direction);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expectNoOverhang(page);
  });
}

test("a link is printed without its buttons", async ({ page, parley: { app } }) => {
  const { path } = await shareTides(app);
  await page.goto(path);
  await expect(page.getByRole("button", { name: "Copy" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Copy" })).toBeHidden();
  const code = page.locator("pre code");
  expect(await code.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe("pre-wrap");
});

test.describe("a link for people with an account", () => {
  test.use({ expectedErrors: [failedRequest(404)] });

  test("a reader signs in, comes back to the link and continues its chat", async ({ page, parley: { app } }) => {
    const { owner, share } = await shareTides(app);
    const restricted = await shareChat(app, owner, share.chatId, { audience: "signed-in" });
    const reader = await signUp(app);
    await page.goto(`/s/${tokenOf(restricted)}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not lead to a chat.");
    await page.getByRole("button", { name: "Sign in" }).click();
    await signIn(page, reader.user.username, reader.password);
    await expect(page).toHaveURL(`/s/${tokenOf(restricted)}`);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await page.getByRole("button", { name: "Continue this chat" }).click();
    await expect(page).toHaveURL(/\/chat\?c=/);
    await expect(page.getByText("Explain the tides.")).toBeVisible();
  });

  test("a revoked link and one that never was look alike", async ({ page, parley: { app } }) => {
    const { owner, share, path } = await shareTides(app);
    await app.call("DELETE", sharePaths.share(share.id), { token: owner.token });
    const seen: (string | null)[] = [];
    for (const address of [path, "/s/AAAAAAAAAAAAAAAAAAAAAA"]) {
      const response = await page.goto(address);
      await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
      seen.push(`${await response?.text()} ${await page.locator("body").ariaSnapshot()} ${await page.title()}`);
    }
    expect(seen[0]).toBe(seen[1]);
  });
});
