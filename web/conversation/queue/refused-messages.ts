import type { ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import { toFileParts } from "../../chats/state/file-parts.ts";
import type { Draft } from "../draft.ts";
import { idempotencyKeyOf } from "./queued-draft-keys.ts";

/** `after`: id of the message that the refused one follows, `""` for none; undefined: it is not known any more. */
export type RefusedMessage = { draftKey: string; draft: Draft; after: string | undefined };

const NONE: readonly RefusedMessage[] = [];

/** The refused messages of each chat. */
export class RefusedMessages {
  readonly #refused = new Map<string, readonly RefusedMessage[]>();
  /** The last result of {@link within} for each conversation. */
  readonly #shown = new WeakMap<Conversation, { refused: readonly RefusedMessage[]; shown: Conversation }>();

  /** Replaces the messages of a chat. Returns whether they differ. */
  replace(chat: string, refused: readonly RefusedMessage[]): boolean {
    const before = this.#refused.get(chat) ?? NONE;
    if (JSON.stringify(before) === JSON.stringify(refused)) return false;
    this.#refused.set(chat, refused);
    return true;
  }

  /** Returns a conversation with its refused messages: the same object until something changes. */
  within(conversation: Conversation): Conversation {
    const refused = this.#refused.get(conversation.id) ?? NONE;
    if (refused.length === 0) return conversation;
    const known = this.#shown.get(conversation);
    if (known?.refused === refused) return known.shown;
    const shown = { ...conversation, messages: insertRefused(conversation.messages, refused) };
    this.#shown.set(conversation, { refused, shown });
    return shown;
  }
}

/** Inserts refused messages behind the messages that they followed; elsewhere, behind the stored messages. */
function insertRefused(messages: readonly ClientMessage[], refused: readonly RefusedMessage[]): ClientMessage[] {
  const shown = [...messages];
  for (const message of refused) {
    let index = indexAfter(shown, message.after);
    while (shown[index]?.refused !== undefined) index += 1;
    shown.splice(index, 0, toMessage(message));
  }
  return shown;
}

function indexAfter(messages: readonly ClientMessage[], after: string | undefined): number {
  if (after === "") return 0;
  const index = messages.findIndex(({ id }) => id === after);
  if (index !== -1) return index + 1;
  const pending = messages.findIndex(({ id, refused }) => id === null && refused === undefined);
  return pending === -1 ? messages.length : pending;
}

/** Its key is that of the question on the screen before the refusal, so that its element stays. */
function toMessage({ draftKey, draft: { text, files } }: RefusedMessage): ClientMessage {
  return {
    key: `${idempotencyKeyOf(draftKey)}-question`,
    id: null,
    role: "user",
    content: text,
    state: "complete",
    loading: false,
    refused: draftKey,
    ...(files.length > 0 && { parts: toFileParts(files) }),
  };
}
