import type { Locator, Page, Request } from "@playwright/test";
import type { Chat, Message, Role } from "#contract/conversation/conversation.ts";
import type { TestAccount } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import type { ScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { test as base, expect, sendKey } from "./fixtures.ts";
import { animationsEnded } from "./looks.ts";
import { Finger } from "./touches.ts";

export { expect, expectAccessible, failedRequest, sendKey } from "./fixtures.ts";

/** Page object of the chat screen, for one account. */
export class ChatScreen {
  readonly page: Page;
  readonly box: Locator;
  readonly sendButton: Locator;
  readonly stopButton: Locator;
  /** The dismissible error banner. */
  readonly banner: Locator;
  readonly messages: Locator;
  readonly welcome: Locator;
  readonly modelMenu: Locator;
  readonly #app: TestApp;
  readonly #account: TestAccount;

  constructor(page: Page, app: TestApp, account: TestAccount) {
    const main = page.getByRole("main");
    this.page = page;
    this.box = main.getByPlaceholder("Message ChatGPT...");
    this.sendButton = main.getByRole("button", { name: "Send", exact: true });
    this.stopButton = main.getByRole("button", { name: "Stop", exact: true });
    this.banner = main.getByRole("alert");
    this.messages = main.getByRole("region", { name: "Conversation" }).locator("ol").first().locator(":scope > li");
    this.welcome = main.getByRole("heading", { name: "What would you like to talk about?" });
    this.modelMenu = main.getByRole("button", { name: /^Model: / });
    this.#app = app;
    this.#account = account;
  }

  get account(): TestAccount {
    return this.#account;
  }

  /** Opens the screen, or one of its chats, and waits until the message box is visible. */
  async open(chat?: string): Promise<void> {
    await this.page.goto(chat === undefined ? "/chat" : `/chat?c=${chat}`);
    await expect(this.box).toBeVisible();
  }

  async send(text: string): Promise<void> {
    await this.box.fill(text);
    await this.submit();
  }

  async submit(): Promise<void> {
    await this.box.press(await sendKey(this.page));
  }

  /** Sends a message and waits until the answer is complete and the chat was read again. */
  async ask(text: string): Promise<void> {
    // A read that began before the send may still be in flight.
    const reads = new Set<Request>();
    let isSent = false;
    const note = (request: Request) => {
      if (SEND.test(request.url())) isSent = true;
      else if (isSent && request.method() === "GET" && ONE_CHAT.test(request.url())) reads.add(request);
    };
    this.page.on("request", note);
    const reread = this.page.waitForResponse((answer) => reads.has(answer.request()));
    await this.send(text);
    await reread;
    this.page.off("request", note);
    await expect(this.sendButton).toBeVisible();
  }

  /** Waits for the shortcuts, which load after the page: presses Shift+Escape until it focuses the message box. */
  async keysAreThere(): Promise<void> {
    await expect
      .poll(async () => {
        await this.modelMenu.focus();
        await this.page.keyboard.press("Shift+Escape");
        return this.box.evaluate((box) => box === document.activeElement);
      })
      .toBe(true);
  }

  question(text: string | RegExp): Locator {
    return this.messages.filter({ hasText: /^You/ }).filter({ hasText: text });
  }

  answer(text: string | RegExp): Locator {
    return this.messages.filter({ hasText: /^Server/ }).filter({ hasText: text });
  }

  /** Returns the sidebar; on a phone, opens its drawer first. */
  async sidebar(): Promise<Locator> {
    const sidebar = this.page.getByRole("navigation", { name: "Chats" });
    const opener = this.page.getByRole("button", { name: "Open the list of chats" });
    await expect(sidebar.or(opener)).toBeVisible();
    if (!(await sidebar.isVisible())) await opener.click();
    await expect(sidebar).toBeVisible();
    return sidebar;
  }

  /** Closes the drawer on a phone. */
  async leaveSidebar(): Promise<void> {
    const drawer = this.page.getByRole("dialog", { name: "Chats" });
    if (!(await drawer.isVisible())) return;
    // Not by Escape, which a tooltip may take.
    const { x = 0, width = 0 } = (await drawer.boundingBox()) ?? {};
    const page = this.page.viewportSize() ?? { width: 0, height: 0 };
    await this.page.mouse.click(x > 0 ? x / 2 : (width + page.width) / 2, page.height / 2);
    await expect(drawer).toBeHidden();
  }

  /** The link of a chat in the sidebar. */
  entry(title: string | RegExp): Locator {
    return this.page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: title });
  }

  /** Opens the menu of a chat in the open sidebar: by its button, or by a long press on a touch screen. */
  async openMenu(title: string): Promise<Locator> {
    const name = `More actions for ${title}`;
    const menu = this.page.getByRole("menu", { name });
    const entry = this.entry(title);
    if (await this.page.evaluate(() => matchMedia("(pointer: fine)").matches)) {
      await entry.hover();
      await this.page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name }).click();
    } else {
      await expect(entry).toBeVisible();
      await listIsReady(this.page);
      await entry.scrollIntoViewIfNeeded();
      await animationsEnded(this.page);
      const box = await entry.boundingBox();
      const finger = await Finger.of(this.page);
      await finger.down((box?.x ?? 0) + 40, (box?.y ?? 0) + 20);
      await expect(menu).toBeVisible();
      await finger.up();
    }
    await expect(menu).toBeVisible();
    return menu;
  }

  async choose(title: string | RegExp): Promise<void> {
    await this.sidebar();
    await this.entry(title).click();
    await expect(this.page.getByRole("dialog", { name: "Chats" })).toBeHidden();
  }

  /** Creates a chat through the API. The messages alternate between the person and the assistant; no model runs. */
  async prepare(...contents: string[]): Promise<string> {
    const chat = await this.call<Chat>("POST", "/chat");
    for (const [place, content] of contents.entries()) {
      await this.append(chat.id, place % 2 === 0 ? "user" : "assistant", content);
    }
    return chat.id;
  }

  append(chat: string, role: Role, content: string): Promise<Message> {
    return this.call<Message>("POST", `/chat/${chat}/message`, { role, content });
  }

  read(chat: string): Promise<Chat> {
    return this.call<Chat>("GET", `/chat/${chat}`);
  }

  history(): Promise<{ id: string; title: string }[]> {
    return this.call("GET", "/chat-history");
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#app.call(method, path, { token: this.#account.token, body });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
  }

  /** Stops every running reply, so that none continues into the next test. */
  async stopAll(): Promise<void> {
    const answer = await this.#app.call("GET", "/chat-history?limit=20", { token: this.#account.token });
    const chats = answer.ok ? ((await answer.json()) as { id: string }[]) : [];
    for (const { id } of chats) await this.#app.call("POST", `/chat/${id}/stop`, { token: this.#account.token });
  }
}

/** Waits for the selection, the arrow keys and the long press of the list of chats, which load after it. */
export const listIsReady = (page: Page) =>
  expect(page.getByRole("navigation", { name: "Chats" }).locator("p.sr-only[role=status]")).toBeAttached();

/** Asserts that `main` does not scroll: the messages scroll in an element of their own. */
export async function expectMainUnscrollable(page: Page): Promise<void> {
  const overflows = await page
    .locator("main:has([data-words])")
    .evaluateAll((mains) => mains.map((main) => main.scrollHeight - main.clientHeight));
  expect(overflows.filter((overflow) => overflow > 0)).toEqual([]);
}

/** URLs by which a test recognises requests: reading one chat, and a streamed send. */
export const ONE_CHAT = /\/api\/chat\/[^/?]+$/;
export const SEND = /\/api\/chat\/[^/]+\/send\?stream=1$/;

/** Response that `page.route` gives to a send instead of the server. */
export type Answer = { status?: number; contentType?: string; body: string };

/** Answers every streamed send of the page with a fixed response; the server stores nothing. */
export async function answerSends(page: Page, answer: Answer): Promise<void> {
  await page.route(SEND, (route) => route.fulfill({ status: 200, contentType: "text/event-stream", ...answer }));
}

type ChatFixtures = { chat: ChatScreen; provider: ScriptedProvider };

export const test = base.extend<ChatFixtures>({
  provider: async ({ parley: { provider } }, use) => use(provider),
  chat: async ({ page, parley, provider, account }, use) => {
    const chat = new ChatScreen(page, parley.app, account);
    await use(chat);
    await chat.stopAll();
    // A reply that is still closing would take the text that the next test releases for its own replies.
    await Promise.all(provider.chats.map(({ closed }) => closed));
  },
});
