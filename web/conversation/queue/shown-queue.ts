import { willGrow } from "#contract/conversation/reply-state.ts";
import type { Conversation } from "../../chats/state/chats-state.ts";
import type { ChatSession } from "../chat-session.ts";
import type { QueueContents } from "./queue-contents.ts";
import { lastReply, type QueueRecords } from "./queue-records.ts";
import { EMPTY_VIEW, type QueuedMessage, type QueueView } from "./queue-view.ts";
import { isRefusedKey } from "./queued-draft-keys.ts";
import { RefusedMessages } from "./refused-messages.ts";

type ShownQueueDeps = {
  drafts: ChatSession["drafts"];
  records: QueueRecords;
  contents: QueueContents;
  conversationOf: (chat: string) => Conversation | undefined;
  isSending: (chat: string) => boolean;
};

/** What the screen shows of the queue, by chat: waiting messages, and refused ones. */
export class ShownQueue {
  readonly #deps: ShownQueueDeps;
  readonly #waiting = new Map<string, QueueView>();
  readonly #refused = new RefusedMessages();

  constructor(deps: ShownQueueDeps) {
    this.#deps = deps;
  }

  /** Returns the same object until it changes. */
  get(chat: string | null): QueueView {
    return (chat !== null && this.#waiting.get(chat)) || EMPTY_VIEW;
  }

  /** Returns a conversation with its refused messages: the same object until something changes. */
  withRefused(conversation: Conversation): Conversation {
    return this.#refused.within(conversation);
  }

  /** Computes the views of these chats again. Returns whether one has changed. */
  refresh(chats: Iterable<string>): boolean {
    let hasChanged = false;
    for (const chat of chats) {
      const view = this.#viewOf(chat);
      const hasRefused = this.#refreshRefused(chat);
      if (!hasRefused && JSON.stringify(view) === JSON.stringify(this.get(chat))) continue;
      this.#waiting.set(chat, view);
      hasChanged = true;
    }
    return hasChanged;
  }

  #refreshRefused(chat: string): boolean {
    const { drafts, records, contents } = this.#deps;
    const refused = contents
      .filled(chat)
      .filter(isRefusedKey)
      .map((draftKey) => {
        const { after } = records.attachmentOf(draftKey);
        return { draftKey, draft: drafts.get(draftKey), after };
      });
    return this.#refused.replace(chat, refused);
  }

  #viewOf(chat: string): QueueView {
    const { drafts, records, contents, conversationOf, isSending } = this.#deps;
    const conversation = conversationOf(chat);
    if (!conversation) return EMPTY_VIEW;
    const reply = lastReply(conversation);
    const isBusy = conversation.isWriting || isSending(chat);
    const isGoingOn = isBusy || willGrow(reply);
    let nth = 0;
    const messages = contents.waiting(chat).map((draftKey): QueuedMessage => {
      const { text, files } = drafts.get(draftKey);
      const message = { draftKey, text, files: files.map(({ name }) => name) };
      if (!isGoingOn || !records.isAttached(draftKey, reply)) return { ...message, status: "held" };
      nth += 1;
      return { ...message, status: nth === 1 ? "next" : "later" };
    });
    return { messages, canSend: !isGoingOn };
  }
}
