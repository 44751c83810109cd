import type { Page } from "@playwright/test";
import { hostileTexts } from "../web/testing/hostile-texts.ts";
import { type ChatScreen, expect, expectMainUnscrollable, test } from "./chat-screen.ts";

test.afterEach(({ page }) => expectMainUnscrollable(page));

declare global {
  interface Window {
    hasRun?: boolean;
  }
}

/** Number of messages that are shown at once. */
const SHOWN = 50;

const groupsOf = (size: number) =>
  Array.from({ length: Math.ceil(hostileTexts.length / size) }, (_, place) =>
    hostileTexts.slice(place * size, (place + 1) * size),
  );

/** Removes the content security policy from the document, so that only the sanitiser protects it. */
async function withoutPolicy(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === "/chat",
    async (route) => {
      const response = await route.fetch();
      const { "content-security-policy": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    },
  );
}

async function watch(page: Page): Promise<string[]> {
  const events: string[] = [];
  page.on("dialog", (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("popup", (popup) => events.push(`popup ${popup.url()}`));
  page.on("frameattached", () => events.push("a frame"));
  page.on("framenavigated", (frame) => {
    if (!/\/chat(\?c=[\w-]+)?$/.test(frame.url())) events.push(`navigation ${frame.url()}`);
  });
  await page.addInitScript(() => {
    window.alert = () => {
      window.hasRun = true;
    };
  });
  return events;
}

/** Asserts that no element on the page could run, load or submit anything. */
async function expectHarmless(page: Page): Promise<void> {
  const findings = await page.evaluate(() => {
    const found: string[] = window.hasRun ? ["something ran"] : [];
    const forbidden =
      "script, iframe, frame, object, embed, form, style, link, base, meta, video, audio, math, template";
    for (const message of document.querySelectorAll("main li, nav a")) {
      for (const element of message.querySelectorAll(forbidden)) found.push(element.outerHTML);
      for (const element of message.querySelectorAll(
        "img, svg:not(.lucide, .animate-spin), input:not([type=checkbox]:disabled)",
      ))
        found.push(element.outerHTML);
      for (const element of message.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
          const isAddress = name === "href" && !/^(https?:|mailto:|#|\/chat\?c=)/.test(value);
          if (isAddress || /^(on|src|srcdoc|srcset|action|formaction|ping|poster|background)/.test(name))
            found.push(element.outerHTML);
          if (name === "style" && !/^color: var\(--code-/.test(value)) found.push(element.outerHTML);
        }
      }
    }
    return found;
  });
  expect(findings).toEqual([]);
}

async function stream(chat: ChatScreen, page: Page, release: (text: string) => void, text: string): Promise<void> {
  for (let place = 0; place < text.length; place += 37) {
    release(text.slice(place, place + 37));
    if (place % 5 === 0) await expectHarmless(page);
  }
  await expect(chat.stopButton).toBeVisible();
}

for (const [name, tag, prepare] of [
  // Without the policy, only the sanitiser protects the page: what is harmless there is harmless with it.
  ["with the content policy", " @proof", async () => {}],
  ["without the content policy", "", withoutPolicy],
] as const) {
  test.describe(`hostile texts ${name}`, () => {
    for (const [place, texts] of groupsOf(SHOWN / 2).entries()) {
      test(`hostile texts in stored messages of either role have no effect ${name}, part ${place + 1}${tag}`, async ({
        chat,
        page,
      }) => {
        const events = await watch(page);
        await prepare(page);
        const pairs = texts.flatMap((text) => [text, text]);
        await chat.open(await chat.prepare(...pairs));
        await expect(chat.messages).toHaveCount(pairs.length);
        await expect(chat.messages.first()).toContainText(texts[0] ?? "");
        await expectHarmless(page);
        await page.reload();
        await expect(chat.messages).toHaveCount(pairs.length);
        await expectHarmless(page);
        expect(events).toEqual([]);
      });
    }

    test(`hostile texts in a reply have no effect ${name}, while it is written and when it is complete${tag}`, async ({
      chat,
      page,
      provider,
    }) => {
      const events = await watch(page);
      await prepare(page);
      await chat.open();
      for (const texts of groupsOf(12)) {
        await chat.send(`[scenario:held] ${texts.join(" ")}`);
        await stream(chat, page, (text) => provider.release(text), texts.join("\n\n"));
        provider.finish();
        await expect(chat.sendButton).toBeVisible();
        await expectHarmless(page);
      }
      expect(events).toEqual([]);
    });

    test(`hostile texts in titles of chats have no effect ${name}${tag}`, async ({ chat, page }) => {
      const events = await watch(page);
      await prepare(page);
      await Promise.all(hostileTexts.map((text) => chat.prepare(text)));
      await chat.open();
      const sidebar = await chat.sidebar();
      await expect(sidebar.getByRole("link")).toHaveCount(hostileTexts.length);
      await expect(chat.entry("<script>alert(1)</script>").first()).toBeVisible();
      await expectHarmless(page);
      const line = sidebar.getByRole("listitem").first();
      await line.hover();
      await line.getByRole("button", { name: /^More actions for / }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await expect(line.getByRole("textbox")).toBeFocused();
      expect(await page.evaluate(() => window.hasRun)).toBeUndefined();
      expect(events).toEqual([]);
    });
  });
}

test("a script that runs without the policy is detected by these journeys", async ({ chat, page }) => {
  await watch(page);
  await withoutPolicy(page);
  await chat.open();
  await page.evaluate(() => {
    const place = document.createElement("div");
    document.body.append(place);
    place.innerHTML = "<img src='data:,' onerror='alert(1)'>";
  });
  await expect.poll(() => page.evaluate(() => window.hasRun)).toBe(true);
});
