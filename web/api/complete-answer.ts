import { RESEND_SUCCESS } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { defaultConfig } from "./default-config.ts";

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {});

/**
 * Completes an answer that has only the fields of the product's specification, as another server may send it. `path` is
 * relative to the base; `answer`: parsed JSON, or the text of a body that is none.
 */
export function completeAnswer(path: string, answer: unknown): unknown {
  const [name = ""] = path.split("?");
  if (typeof answer === "string") return name === accountPaths.resendVerification ? completeNotice(answer) : answer;
  if (Array.isArray(answer)) return name === conversationPaths.chatHistory ? completeList(answer) : answer;
  const fields = fieldsOf(answer);
  if (name === accountPaths.authConfig) return { ...defaultConfig, ...fields };
  if (name === accountPaths.me) return completeUser(fields);
  if (
    name === accountPaths.login ||
    name === accountPaths.google ||
    (name === accountPaths.verify && "access_token" in fields)
  )
    return { emailVerified: true, ...fields, user: completeUser(fieldsOf(fields.user)) };
  if (name === accountPaths.resendVerification) return { message: RESEND_SUCCESS, ...fields };
  const isChat = Array.isArray(fields.messages) && /^\/chat\/[^/]+$/.test(name);
  return name === conversationPaths.chats || isChat ? completeChat(fields) : answer;
}

/** The page of a proxy is no answer. */
const completeNotice = (text: string) =>
  text.trimStart().startsWith("<") ? text : { message: text || RESEND_SUCCESS };

function completeUser(user: Fields): Fields {
  return { id: user.username, email: "", firstname: "", lastname: "", emailVerified: true, ...user };
}

/** Gives all chats one time, so that they stay in the order of the answer. */
function completeList(chats: readonly unknown[]): Fields[] {
  const updatedAt = Date.now();
  return chats.map((chat) => ({ updatedAt, ...fieldsOf(chat) }));
}

/** An empty title: the known one stays. */
function completeChat(chat: Fields): Fields {
  const messages = Array.isArray(chat.messages) ? chat.messages : [];
  return { title: "", updatedAt: Date.now(), ...chat, messages: messages.map(completeMessage) };
}

/** Its index is its id: messages of other servers are not referred to. */
function completeMessage(message: unknown, index: number): Fields {
  const missing: Omit<Message, "role" | "content"> = {
    id: String(index),
    state: "complete",
    parent: null,
    model: null,
    createdAt: Date.now(),
  };
  return { ...missing, ...fieldsOf(message) };
}
