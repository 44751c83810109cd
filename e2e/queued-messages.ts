import type { Page } from "@playwright/test";
import type { ScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { type ChatScreen, expect } from "./chat-screen.ts";

/** Status texts of a queued message. */
export const NEXT = "Will be sent after this answer";
export const HELD = "Not sent yet";

export const queueOf = (page: Page) => page.getByRole("list", { name: "Queued messages" }).getByRole("listitem");
export const submitOf = (page: Page) => page.getByRole("main").getByRole("button", { name: "Send after this answer" });
export const contents = async (chat: ChatScreen, id: string) =>
  (await chat.read(id)).messages.map(({ content }) => content);

/** Begins an answer that is held after its first words, in a chat with one earlier turn. @returns the chat's id */
export async function beginAnswer(chat: ChatScreen, provider: ScriptedProvider): Promise<string> {
  const id = await chat.prepare("The beginning", "The first answer");
  await chat.open(id);
  await chat.send("[scenario:held] The question");
  provider.release("Being written");
  await expect(chat.answer("Being written")).toBeVisible();
  return id;
}

/** Queues a message: Enter moves it from the box to the queue. */
export async function queue(chat: ChatScreen, text: string): Promise<void> {
  await chat.box.fill(text);
  // The queue is loaded after the page, and the button with it.
  await expect(submitOf(chat.page)).toBeVisible();
  await chat.submit();
  await expect(chat.box).toHaveValue("");
  await expect(queueOf(chat.page).filter({ hasText: text })).toBeVisible();
}
