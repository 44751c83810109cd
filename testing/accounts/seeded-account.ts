import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { SendResponse } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { signUpByMail, type TestAccount } from "./sign-up.ts";

export type SeededAccount = TestAccount & { chatId: string };

/** Creates an account with data of each kind: mails, a preset, instructions, a chat in a folder with two answers. */
export async function seedAccount(app: TestApp, username?: string): Promise<SeededAccount> {
  const registered = await signUpByMail(app, username ? { username } : {});
  const login = { username: registered.user.username, password: registered.password };
  const signedIn = await app.call("POST", accountPaths.login, { body: login });
  const account = { ...registered, token: signedInSchema.parse(await signedIn.json()).access_token };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await app.call(method, path, { token: account.token, body });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json().catch(() => undefined)) as T;
  };
  const preset = { name: "Translator", instructions: "Translate.", model: null, temperature: 0.7 };
  const { id: presetId } = await call<{ id: string }>("POST", conversationPaths.presets, preset);
  const { id: folderId } = await call<{ id: string }>("POST", conversationPaths.folders, { name: "Journeys" });
  const { id: chatId } = await call<Chat>("POST", conversationPaths.chats, {});
  await call<SendResponse>("POST", conversationPaths.chatSend(chatId), { message: "What is a fjord? 峡湾 😀" });
  await call("POST", conversationPaths.chatSend(chatId), { message: "What is a skerry?", parent: null, branch: true });
  await call("PATCH", conversationPaths.chat(chatId), {
    folderId,
    presetId,
    instructions: "Be brief.",
    isPinned: true,
  });
  return { ...account, chatId };
}
