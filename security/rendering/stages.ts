import type { Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { jsonOf } from "../../testing/http/send.ts";
import { CLOSERS, type Vector } from "../../testing/rendering/vector.ts";
import { inBatches } from "../clients/in-batches.ts";
import type { Person } from "../clients/person.ts";
import type { Site } from "../site.ts";
import type { PlayProvider } from "./play-provider.ts";
import type { WatchedBrowser } from "./watched-browser.ts";

export type Stand = { site: Site; person: Person; provider: PlayProvider; browser: WatchedBrowser };

/** Concurrent replies of one account, and therefore pages that are checked in parallel. */
const PAGES = 3;
const IN_ONE_REPLY = 20;
/** Answers, beside their question, that a page shows at once. */
const IN_ONE_CHAT = 49;
const PIECE_CHARS = 9;
const PACE_MS = 4;
/** Time for lazy modules: formulas, HTML, syntax highlighting. */
const LOADS_WITHIN_MS = 250;

/** Joins many texts into replies, separately those that make a reply HTML; each text is followed by closing marks. */
export function batchesOf(vectors: readonly Vector[]): string[] {
  const alone = vectors.filter(({ text }) => text.includes("<plaintext"));
  const rest = vectors.filter((vector) => !alone.includes(vector));
  const isHtml = ({ text }: Vector) => isHtmlAnswer(text);
  const groups = [rest.filter(isHtml), rest.filter((vector) => !isHtml(vector))];
  const batches = groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / IN_ONE_REPLY) }, (_, index) =>
      group.slice(index * IN_ONE_REPLY, (index + 1) * IN_ONE_REPLY),
    ),
  );
  return [...batches, ...alone.map((vector) => [vector])].map((batch, index) =>
    [...batch.map(({ text }) => `${text}\n\n${CLOSERS}`), `end of batch ${index}.`].join("\n\n"),
  );
}

async function withPages<T>(browser: WatchedBrowser, jobs: readonly T[], act: (page: Page, job: T) => Promise<void>) {
  const pages = await Promise.all(Array.from({ length: PAGES }, () => browser.page()));
  const rest = jobs.values();
  await Promise.all(
    pages.map(async (page) => {
      for (const job of rest) await act(page, job);
    }),
  );
  await Promise.all(pages.map((page) => page.close()));
}

/**
 * Shows texts as replies while they stream, when they are complete, and after a reload, and as questions.
 * @returns the texts whose end was not visible
 */
export async function streamReplies(stand: Stand, vectors: readonly Vector[]): Promise<string[]> {
  const { browser, provider } = stand;
  const batches = batchesOf(vectors);
  const swallowed: string[] = [];
  await withPages(browser, batches, async (page, text) => {
    const end = text.slice(text.lastIndexOf("end of batch"));
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, "g")) ?? [];
    const name = provider.add({ pieces, paceMs: PACE_MS, title: text });
    const { id } = await callApi<Chat>(stand, conversationPaths.chats, {});
    await page.goto(`/chat?c=${id}`);
    const box = page.getByRole("main").getByPlaceholder("Message ChatGPT...");
    await box.fill(`${name} ${text}`);
    // Sends after the chat has loaded.
    await page.getByRole("main").getByRole("button", { name: "Send", exact: true }).click();
    const reply = page
      .getByRole("region", { name: "Conversation" })
      .locator("ol")
      .first()
      .locator(":scope > li")
      .nth(1);
    // The copy button appears when the reply is complete.
    const isWhole = reply.getByRole("button", { name: "Copy message" });
    await isWhole.waitFor({ state: "attached" });
    await page.waitForTimeout(LOADS_WITHIN_MS);
    await page.reload();
    await isWhole.waitFor({ state: "attached" });
    await page.waitForTimeout(LOADS_WITHIN_MS);
    if (!(await reply.textContent())?.includes(end)) swallowed.push(text);
  });
  return swallowed;
}

async function callApi<T>({ site, person }: Stand, path: string, body?: unknown): Promise<T> {
  const answer = await site.send({ method: "POST", path: API_BASE + path, token: person.token, body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  return jsonOf<T>(answer);
}

/** Stores a chat with each text as an answer, below a question with all of them. */
async function storeChat(stand: Stand, texts: readonly string[]): Promise<string> {
  const { id } = await callApi<Chat>(stand, conversationPaths.chats, {});
  await callApi(stand, conversationPaths.chatMessage(id), { role: "user", content: texts.join("\n") });
  for (const content of texts) await callApi(stand, conversationPaths.chatMessage(id), { role: "assistant", content });
  return id;
}

/** Shows stored messages of both roles, one for each text; the first of each chat is also its title. */
export async function openStored(stand: Stand, vectors: readonly Vector[]): Promise<void> {
  const chats = Array.from({ length: Math.ceil(vectors.length / IN_ONE_CHAT) }, (_, index) =>
    vectors.slice(index * IN_ONE_CHAT, (index + 1) * IN_ONE_CHAT).map(({ text }) => text),
  );
  await withPages(stand.browser, chats, async (page, texts) => {
    const id = await storeChat(stand, texts);
    await page.goto(`/chat?c=${id}`);
    const messages = page.getByRole("region", { name: "Conversation" }).locator("ol").first().locator(":scope > li");
    await messages.nth(texts.length).waitFor({ state: "attached" });
    await page.waitForTimeout(LOADS_WITHIN_MS);
  });
}

/** Shows texts as titles by the model, in the list of chats, and in the menu and the field of a rename. */
export async function showTitles(stand: Stand, vectors: readonly Vector[]): Promise<void> {
  const { provider, browser } = stand;
  const give = async ({ text }: Vector) => {
    const name = provider.add({ pieces: ["Yes."], title: text });
    const { id } = await callApi<Chat>(stand, conversationPaths.chats, {});
    await callApi(stand, conversationPaths.chatSend(id), { message: name });
  };
  await inBatches(vectors, give, PAGES);
  const page = await browser.page();
  await page.goto("/chat");
  const entries = page.getByRole("navigation", { name: "Chats" }).getByRole("listitem");
  await entries.first().waitFor();
  for (let count = 0; count < (await entries.count()); ) {
    count = await entries.count();
    await entries.last().scrollIntoViewIfNeeded();
    await page.waitForTimeout(LOADS_WITHIN_MS);
  }
  const first = entries.first();
  await first.hover();
  await first.getByRole("button", { name: /^More actions for / }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await first.getByRole("textbox").waitFor();
  await page.close();
}

/** Shows texts as names of models of a local server: the list renders only the rows near its visible part. */
export async function showModels({ browser, provider }: Stand): Promise<void> {
  const page = await browser.page();
  await page.goto("/chat");
  await page.getByRole("button", { name: /^Model: / }).click();
  const list = page.getByRole("listbox", { name: "Models" });
  const seen = new Set<string>();
  for (let isAtEnd = false; !isAtEnd; ) {
    for (const value of await list.getByRole("option").evaluateAll((rows) => rows.map(({ id }) => id))) seen.add(value);
    isAtEnd = await list.evaluate(scrollOn);
  }
  const all = Number(await list.getByRole("option").last().getAttribute("aria-setsize"));
  // Some names are those of models that are no chat models.
  if (all < 0.9 * provider.models.length) throw new Error(`Only ${all} models are listed`);
  if (seen.size < all) throw new Error(`${seen.size} of ${all} models were shown`);
  await page.close();
}

/** Scrolls a box by its height, and waits until its rows are rendered. @returns whether it was at its end before */
async function scrollOn(box: Element): Promise<boolean> {
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
  box.scrollBy({ top: box.clientHeight, behavior: "instant" });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return isAtEnd;
}
