import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";
import { animationsEnded, expectFocusVisible, expectWhole } from "./looks.ts";
import { openSection, press, title } from "./settings-screen.ts";

const ANSWER = "A loop:\n\n```python\nfor n in range(3):\n    print(n)\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n";

/** Moves the start of Tab navigation to the top of the page. */
async function fromTheTop(page: Page): Promise<void> {
  await page.evaluate(() => {
    const top = document.body;
    top.tabIndex = -1;
    top.focus();
    top.removeAttribute("tabindex");
  });
}

test("a screen reader can read the sign-in, a chat, a streamed answer and the settings", async ({
  chat,
  page,
  provider,
  browser,
  parley: { app },
}) => {
  const signedOut = await browser.newPage({ baseURL: app.url });
  await signedOut.goto("/login");
  await expect(signedOut.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Parley Chat Login" [level=1]
      - form "Parley Chat Login":
        - textbox "Username"
        - textbox "Password"
        - button "Show characters"
        - link "Forgot your password?"
        - button "Sign In"
      - paragraph:
        - link "Create an account"
      - combobox "Language"
      - link "Accessibility"
  `);
  await signedOut.close();

  await chat.open(await chat.prepare("How do I count?", ANSWER));
  await expect(page).toHaveTitle(/^How do I count\? · /);
  await expect(chat.messages.locator("figure pre span span").first()).toBeVisible();
  await chat.send("[scenario:held] And the tides?");
  const status = page.getByRole("main").getByRole("status").filter({ hasText: /\S/ });
  await expect(status).toHaveText("The assistant is writing.");
  provider.release("The sea rises. Then it");
  const log = page.getByRole("log", { name: "The answer, as it comes" });
  await expect(log.getByText("The sea rises.", { exact: true })).toBeVisible();
  await expect(log).not.toContainText("Then it");
  provider.release(" falls");
  provider.finish();
  await expect(status).toHaveText("The answer is complete.");
  await expect(log.getByText("Then it falls", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Conversation" })).toMatchAriaSnapshot(`
    - region "Conversation":
      - list:
        - listitem:
          - heading "You" [level=2]
          - time: /Now|minute/
          - text: How do I count?
          - button "Copy message"
          - button "Edit"
        - listitem:
          - heading "Server" [level=2]
          - time: /Now|minute/
          - paragraph: "A loop:"
          - figure "Python":
            - button "Wrap lines"
            - button "Copy code"
            - code: /for n in range/
          - table
          - button "Copy message"
        - listitem:
          - heading "You" [level=2]
        - listitem:
          - heading "Server" [level=2]
          - time: /Now|minute/
          - paragraph: The sea rises. Then it falls
  `);

  await openSection(page, "appearance");
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - button "Skip to content"
    - navigation "Settings":
      - link "Back to chats"
      - list:
        - listitem:
          - link "Account"
        - listitem:
          - link "Appearance"
    - main:
      - heading "Appearance" [level=1]
      - region "Theme":
        - heading "Theme" [level=2]
        - group "Light or dark":
          - radio "System" [checked]
          - radio "Light"
          - radio "Dark"
        - switch "High contrast"
      - link "Accessibility"
    - region "Notifications"
  `);
});

test("the keyboard skips the navigation, reaches the notifications and returns from them", async ({ chat, page }) => {
  await chat.prepare("The one chat", "An answer");
  const other = await chat.prepare("The other chat", "Another answer");
  await chat.open(other);
  await expect(chat.answer("Another answer")).toBeVisible();
  await expect(chat.entry("The one chat")).toBeVisible();
  await fromTheTop(page);
  await page.keyboard.press("Tab");
  await expect(press(page, "Skip to content")).toBeFocused();
  await expect(press(page, "Skip to content")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Conversation" })).toBeFocused();

  await page.getByRole("button", { name: "Delete The one chat" }).focus();
  await page.keyboard.press("Enter");
  await expect(chat.entry("The one chat")).toBeHidden();
  await expect(chat.entry("The other chat")).toBeFocused();
  await expect(press(page, "Undo")).toBeVisible();
  await page.keyboard.press("F6");
  await expect(press(page, "Undo")).toBeFocused();
  await expectFocusVisible(press(page, "Undo"));
  await page.keyboard.press("Escape");
  await expect(chat.entry("The other chat")).toBeFocused();
  await page.keyboard.press("F6");
  await expect(press(page, "Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.entry("The one chat")).toBeVisible();
  await expect(chat.entry("The other chat")).toBeFocused();

  await openSection(page, "appearance");
  await expect(page.getByRole("switch", { name: "High contrast" })).toBeVisible();
  await fromTheTop(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(title(page, "Appearance")).toBeFocused();
  await page.getByRole("switch", { name: "High contrast" }).focus();
  await page.keyboard.press("Space");
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-contrast", "more");
  const reset = press(page, "Reset appearance");
  await reset.focus();
  await page.keyboard.press("Enter");
  await expect(root).not.toHaveAttribute("data-contrast");
  await expect(press(page, "Undo")).toBeVisible();
  await page.keyboard.press("F6");
  await expect(press(page, "Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(root).toHaveAttribute("data-contrast", "more");
  await expect(reset).toBeFocused();
});

/** Windows of 1280 × 800 at 200 % zoom, and of the width to which WCAG 1.4.10 lets a page reflow. */
const SMALL_SIZES = [
  { width: 640, height: 400 },
  { width: 320, height: 640 },
];

async function expectWholeInSmallSizes(page: Page): Promise<void> {
  for (const size of SMALL_SIZES) {
    await page.setViewportSize(size);
    await withBothSpacings(page, () => expectWhole(page));
  }
}

test("nothing of the chats is cut off, covered or too wide at 200 %, at 320 px and with wider text spacing", async ({
  chat,
  page,
}) => {
  const full = await chat.prepare("A chat with a long title that tells what it is about", ANSWER);
  await chat.prepare("Another chat", "With an answer");
  await chat.open();
  await expect(chat.welcome).toBeVisible();
  await expectWholeInSmallSizes(page);
  await chat.open(full);
  await expect(chat.messages.locator("figure")).toBeVisible();
  await expectWholeInSmallSizes(page);
  await withBothSpacings(page, () => expect(chat.box).toBeInViewport({ ratio: 1 }));
  await chat.sidebar();
  await withBothSpacings(page, () => expectWhole(page));
  await page.getByRole("button", { name: "Search your chats" }).click();
  await page.getByRole("combobox", { name: "Search" }).fill("answer");
  await expect(page.getByRole("dialog", { name: "Search your chats" }).getByText("With an").first()).toBeVisible();
  await expectWholeInSmallSizes(page);
});

test("nothing of the settings is cut off, covered or too wide at 200 %, at 320 px and with wider text spacing @proof", async ({
  page,
  account: _,
}) => {
  for (const path of ["/settings/account", "/settings/appearance", "/settings/security", "/accessibility"]) {
    await page.goto(path);
    await expect(page.getByRole("main").locator("h1")).toBeVisible();
    await expectWholeInSmallSizes(page);
  }
});

/** Runs a check without and with the text spacing that WCAG 1.4.12 allows a reader to set. */
async function withBothSpacings(page: Page, check: () => Promise<void>): Promise<void> {
  await check();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-bottom: 2em !important; }
    `);
    document.adoptedStyleSheets.push(sheet);
  });
  await check();
  await page.evaluate(() => document.adoptedStyleSheets.pop());
}

test("with forced colours, selected, switched-on and focused controls stay visible", async ({ chat, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await chat.prepare("Another chat", "With an answer");
  await chat.open(await chat.prepare("The one chat", "An answer"));
  const look = (name: string) =>
    chat.entry(name).evaluate((link) => {
      const { backgroundColor, color } = getComputedStyle(link);
      return { backgroundColor, color };
    });
  await expect(chat.entry("The one chat")).toHaveAttribute("aria-current", "page");
  await animationsEnded(page);
  const [chosen, other] = [await look("The one chat"), await look("Another chat")];
  expect(chosen.backgroundColor).not.toBe(other.backgroundColor);
  expect(chosen.color).not.toBe(chosen.backgroundColor);
  await chat.entry("Another chat").focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expectFocusVisible(page.locator(":focus"));
  expect(await chat.sendButton.evaluate((button) => getComputedStyle(button).borderTopStyle)).toBe("solid");
  await expect(page.getByRole("separator", { name: "Width of the list of chats" })).toHaveCSS("outline-style", "none");
  await openSection(page, "appearance");
  const toggle = page.getByRole("switch", { name: "High contrast" });
  const picture = async () => (await toggle.locator("xpath=..").screenshot()).toString("base64");
  await expect(toggle).toBeVisible();
  const off = await picture();
  await toggle.click();
  await page.mouse.move(0, 0);
  await animationsEnded(page);
  expect(await picture()).not.toBe(off);
});
