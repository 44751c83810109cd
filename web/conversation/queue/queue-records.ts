import type { ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import { hasFiles } from "../../chats/state/file-parts.ts";
import type { Draft } from "../draft.ts";
import type { SendKey, SendKeys } from "../idempotency-keys.ts";

/**
 * `after`: id of the answer that the message follows; `reply`: the answer's React key on this page, used until the id is
 * known. Another version of an answer has the same key.
 */
export type Attachment = { reply?: string | undefined; after?: string | undefined };

/** Key, model and attachment of each queued message, by its draft key. */
export class QueueRecords {
  /** Null for the temporary chat: nothing of it is stored. */
  readonly #keys: SendKeys | null;
  readonly #attached = new Map<string, Attachment>();
  readonly #models = new Map<string, string>();

  constructor(keys: SendKeys | null) {
    this.#keys = keys;
  }

  add(draftKey: string, sent: Omit<SendKey, "after">, attachment: Attachment): void {
    this.store(draftKey, { ...sent, after: attachment.after });
    this.#attached.set(draftKey, attachment);
  }

  /** Stores the key and the model of the next send from a draft key. */
  store(draftKey: string, sent: SendKey): void {
    this.#models.set(draftKey, sent.model);
    this.#keys?.write(draftKey, sent);
  }

  /** Moves the key of the next send to another draft key. */
  move(from: string, to: string): void {
    const sent = this.#keys?.read(from);
    if (sent) this.#keys?.write(to, { ...sent, after: undefined });
    this.#keys?.remove(from);
  }

  /** Forgets a message that has left the queue for good. */
  forget(draftKey: string): void {
    this.#attached.delete(draftKey);
    this.#models.delete(draftKey);
  }

  modelOf(draftKey: string): string | undefined {
    return this.#keys?.read(draftKey)?.model ?? this.#models.get(draftKey);
  }

  attachmentOf(draftKey: string): Attachment {
    const here = this.#attached.get(draftKey);
    const stored = this.#keys?.read(draftKey);
    return { reply: here?.reply, after: stored ? stored.after : here?.after };
  }

  attach(draftKey: string, attachment: Attachment): void {
    this.#attached.set(draftKey, attachment);
    const stored = this.#keys?.read(draftKey);
    if (stored && stored.after !== attachment.after)
      this.#keys?.write(draftKey, { ...stored, after: attachment.after });
  }

  isAttached(draftKey: string, reply: ClientMessage | undefined): boolean {
    if (!reply) return false;
    const { reply: key, after } = this.attachmentOf(draftKey);
    return after === undefined ? key === reply.key : after === reply.id;
  }
}

/** Returns the reply at the end of a conversation, which the next message follows. */
export function lastReply({ messages }: Conversation): ClientMessage | undefined {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last : undefined;
}

/**
 * Whether the server has accepted a message for an earlier page, which has not received the response. `after`: id of the
 * message that it followed, `""` for none; undefined if that is not known.
 */
export function isStored({ messages }: Conversation, after: string | undefined, { text, files }: Draft): boolean {
  if (after === undefined) return false;
  const question = messages[messages.findIndex(({ id }) => id === after) + 1];
  if (question?.role !== "user" || question.id === null) return false;
  return question.content === text && hasFiles(question, files);
}
