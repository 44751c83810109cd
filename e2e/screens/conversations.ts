import type { Page } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { answerSends, type ChatScreen } from "../chat-screen.ts";
import { expect, sendKey } from "../fixtures.ts";
import { importChats } from "../long-chats.ts";
import { press } from "../settings-screen.ts";
import { type ChatScene, MODEL } from "./chats.ts";
import type { Screens } from "./walk.ts";

const words = (text: string | RegExp) => (page: Page) => page.getByText(text);
const dialog = (name: string | RegExp) => (page: Page) => page.getByRole("dialog", { name });

const RICH = `# A title

Some **bold** words, [a link](https://example.com) and \`code\`, <kbd>K</kbd> and H<sub>2</sub>O.

- one
- two
  1. nested

| Name | Height |
| --- | ---: |
| Ben | 1.8 |

\`\`\`ts
const answer: number = 42; // why
export function greet(name: string) { return \`Hello \${name}\`; }
\`\`\`

> A quote

- [x] done
- [ ] open

A note[^1], \\(x^2\\) and a formula:

$$
${Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join(" + ")}
$$

[^1]: Its words.
`;
const HTML = "<h2>By HTML</h2><p>words</p><ul><li>one</li></ul><table><tr><td>cell</td></tr></table>";
const FLOW = "```mermaid\nflowchart LR\n  A[Asked] --> B{Known?}\n  B -- yes --> C[Told]\n```";
const figure = (page: Page) => page.locator("figure", { has: page.locator("iframe") });

export const conversations: Screens<ChatScene> = {
  conversation: {
    before: async ({ chat, ids }) => {
      ids.rich = await chat.prepare("Show me everything", RICH, "And HTML", HTML, "And a diagram", FLOW);
    },
    open: "/chat?c=:rich",
    reach: async ({ chat, page }) => {
      await expect(page.frameLocator("iframe").locator("svg").first()).toContainText("Known?");
      await expect(chat.messages.locator(".katex")).not.toHaveCount(0);
      await expect(chat.messages.locator("figure pre span span[style]").first()).toBeVisible();
    },
    shows: words("By HTML"),
  },
  "enlarged diagram": {
    reach: ({ page }) => figure(page).getByRole("button", { name: "Enlarge" }).click(),
    shows: dialog("Flowchart"),
  },
  "page to print": {
    reach: async ({ chat, page }) => {
      await page.evaluate(() => Object.assign(window, { print: () => undefined }));
      await page.keyboard.press("Escape");
      await chat.box.focus();
      await page.keyboard.press("ControlOrMeta+p");
      await expect(dialog("Print chat")(page).getByRole("status")).toHaveText("Ready to print");
    },
    shows: dialog("Print chat"),
  },
  "diagram that cannot be drawn": {
    before: ({ page }) => page.route(/sandbox\/.*flowDiagram/, (route) => route.abort()),
    open: "/chat?c=:rich",
    shows: words("could not be drawn"),
  },
};

export const messages: Screens<ChatScene> = {
  "quotable selection": {
    before: async ({ chat, ids }) => {
      ids.plain = await chat.prepare("One", "The first paragraph.\n\nThe second paragraph.");
    },
    open: "/chat?c=:plain",
    reach: ({ chat }) => chat.answer("The first").locator("[data-words] p").last().selectText(),
    shows: (page) => press(page, "Quote"),
  },
  "question that is edited": {
    reach: async ({ chat, page }) => {
      await page.keyboard.press("Escape");
      await chat.question("One").hover();
      await press(chat.question("One"), "Edit").click();
    },
    shows: (page) => page.getByRole("textbox", { name: "Edit message" }),
  },
  "versions of a question": {
    reach: async ({ page }) => {
      const box = page.getByRole("textbox", { name: "Edit message" });
      await box.fill("One, better");
      await box.press(await sendKey(page));
    },
    shows: words("Version 2 of 2"),
  },
  "chat with a preset and its own instructions": {
    before: async ({ chat, ids }) => {
      const preset = { instructions: "Rhyme.", model: MODEL, temperature: null };
      const name = "A poet with a name that is longer than any phone is wide";
      const { id: presetId } = await chat.call<{ id: string }>("POST", conversationPaths.presets, { ...preset, name });
      await chat.call("PATCH", conversationPaths.chat(ids.plain ?? ""), { presetId, instructions: "Be brief." });
    },
    open: "/chat?c=:plain",
    reach: ({ chat }) => chat.box.focus(),
    shows: (page) => page.getByRole("button", { name: /^Preset: A poet/ }),
  },
  "instructions of a chat": {
    reach: ({ page }) => press(page, "This chat has its own instructions").click(),
    shows: dialog("Instructions for this chat"),
  },
  "new messages in a long chat": {
    before: async ({ chat, ids }) => {
      const [id = ""] = await importChats(
        chat,
        Array.from({ length: 60 }, (_, at) => `Message ${at}`),
      );
      ids.long = id;
    },
    open: "/chat?c=:long",
    reach: async ({ chat, page, ids }) => {
      await expect(chat.messages.last()).toBeInViewport();
      await page.getByRole("region", { name: "Conversation" }).evaluate((box) => box.scrollBy(0, -2000));
      await expect(press(page, "Jump to newest")).toBeVisible();
      await chat.append(ids.long ?? "", "user", "From another device.");
    },
    shows: (page) => press(page, "Jump to newest, 1 new"),
  },
};

const queue = (page: Page) => page.getByRole("list", { name: "Queued messages" }).getByRole("listitem");
const status = (text: string) => (page: Page) => page.getByRole("listitem").filter({ hasText: text });

/** Refuses each send, because the account has as many replies as it can have at once. */
const crowd = (page: Page) =>
  answerSends(page, {
    status: 429,
    contentType: "application/problem+json",
    body: JSON.stringify({ detail: "No.", error: "No.", code: "too-many-replies" }),
  });

export const answers: Screens<ChatScene> = {
  "answer before its first words": {
    // With automatic choice another provider would continue an interrupted answer.
    before: ({ chat, page }) =>
      page.addInitScript(([id, model]) => localStorage.setItem(`model:${id}`, model), [
        chat.account.user.id,
        MODEL,
      ] as const),
    open: "/chat",
    reach: async ({ chat, provider }) => {
      await chat.send("[scenario:held] Why is the sky blue?");
      await provider.untilHeld(1);
    },
    shows: words("Thinking..."),
  },
  "reasoning that grows": {
    reach: async ({ provider }) => provider.think("**Reading the question**\n\nThe sky is meant. "),
    shows: (page) => page.getByRole("button", { name: "Thinking..." }).filter({ hasText: "Reading the question" }),
  },
  "answer with open reasoning and a queue": {
    reach: async ({ chat, page, provider }) => {
      await page.getByRole("button", { name: "Thinking..." }).click();
      provider.release("Words **and** more");
      await expect(chat.answer("Words and more")).toBeVisible();
      await expect(page.getByRole("region", { name: "Reasoning" })).toBeVisible();
      for (const text of ["The second", "The third"]) {
        await chat.box.fill(text);
        await page.getByRole("main").getByRole("button", { name: "Send after this answer" }).click();
        await expect(queue(page).filter({ hasText: text })).toBeVisible();
      }
    },
    shows: (page) => queue(page).nth(1),
  },
  "interrupted answer with its error and a held queue": {
    reach: async ({ chat, page, provider }) => {
      provider.failMidStream();
      await expect(queue(page).first()).toContainText("Not sent yet");
      await expect(chat.banner).toBeVisible();
    },
    shows: (page) => press(page, "Continue"),
  },
  "continued answer": {
    reach: async ({ chat, page, provider }) => {
      provider.next("held");
      await press(page, "Continue").click();
      await provider.untilHeld(1);
      provider.release(" and the end.");
      await expect(chat.answer("and the end.")).toBeVisible();
      provider.finish();
      await expect(chat.sendButton).toBeVisible();
    },
    shows: (page) => page.getByRole("img", { name: "Continued after an interruption" }),
  },
  "usage of an answer": {
    reach: ({ chat }) => chat.messages.last().getByRole("button", { name: "About this answer" }).click(),
    shows: dialog("About this answer"),
  },
  "question without an answer": {
    open: "/chat",
    reach: async ({ chat, provider }) => {
      provider.scenario = "error-before-first-word";
      await chat.send("Please answer.");
      await expect(chat.banner).toBeVisible();
    },
    shows: status("No answer yet."),
  },
  "message that waits for another answer": {
    before: ({ page }) => crowd(page),
    open: "/chat",
    reach: ({ chat }) => chat.send("The fourth at once."),
    shows: status("Waiting for another reply to finish…"),
  },
  "refused message": {
    before: ({ page }) => answerSends(page, { status: 400, contentType: "text/plain", body: "No." }),
    open: "/chat",
    reach: async ({ chat }) => {
      await chat.send("The first words");
      await expect(chat.banner).toBeVisible();
    },
    shows: (page) => page.getByText("Not sent"),
  },
};

export const withoutNetwork: Screens<ChatScene> = {
  "answer without a network": {
    before: async ({ page }) => {
      const body = 'data: {"reply":"r1","at":0,"run":1}\n\ndata: {"token":"Once upon","at":9}\n\n';
      await answerSends(page, { body });
      await page.route(/\/reply\?reply=/, (route) => route.abort());
    },
    open: "/chat",
    reach: ({ chat }) => chat.send("A long story."),
    shows: status("Reconnecting…"),
  },
  "new chat without a network": {
    open: "/chat",
    reach: async ({ chat, page }) => {
      // The drawer of a phone loads when it is first opened.
      await chat.sidebar();
      await chat.leaveSidebar();
      await page.context().setOffline(true);
      await begin(chat);
      await chat.send("The first of all.");
      await expect(status("Waiting for the connection…")(page)).toBeVisible();
      await begin(chat);
    },
    shows: words("Your new chat is created once its first message is sent."),
  },
};

async function begin(chat: ChatScreen): Promise<void> {
  await (await chat.sidebar()).getByRole("button", { name: "New chat", exact: true }).click();
  await chat.leaveSidebar();
}

export const arabic: Screens<ChatScene> = {
  "list of chats in Arabic": {
    before: async ({ chat, page, ids }) => {
      await page.addInitScript(() => localStorage.setItem("parley.language", "ar"));
      ids.rich = await chat.prepare("How long is the Nile?", RICH);
    },
    open: "/chat",
    reach: async ({ page, isMobile }) => {
      await expect(page.getByPlaceholder("رسالة إلى ChatGPT…")).toBeVisible();
      if (isMobile) await page.getByRole("button", { name: "فتح قائمة المحادثات" }).click();
    },
    shows: (page) => page.getByRole("link", { name: "How long is the Nile?" }),
  },
  "conversation in Arabic": { open: "/chat?c=:rich", shows: words("Its words.") },
  "settings in Arabic": {
    open: "/settings/account",
    shows: (page) => page.getByRole("heading", { name: "الحساب", exact: true }),
  },
};
