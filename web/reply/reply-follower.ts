import type { Api } from "../api/client.ts";
import { onReturn } from "../api/on-return.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import { refreshChat } from "../chats/state/chats-thunks.ts";
import { type Asked, FollowedReply, type KnownReply } from "./followed-reply.ts";
import type { JoinReply } from "./open-reply.ts";

/** The replies that this page follows, one in each chat at most. */
export class ReplyFollower {
  readonly #store: ChatsStore;
  readonly #api: Api;
  readonly #join: JoinReply;
  readonly #following = new Map<string, FollowedReply>();
  /** Chats whose reply was given up because no server was there, or because they were to be deleted. */
  readonly #lost = new Set<string>();
  readonly #joined = new Set<string>();

  /** `leaving`: ends everything. */
  constructor(store: ChatsStore, api: Api, join: JoinReply, leaving: AbortSignal) {
    this.#store = store;
    this.#api = api;
    this.#join = join;
    const ends = [
      store.subscribe(() => {
        for (const [chat, reply] of this.#following) if (!this.#conversation(chat)) reply.abort();
      }),
      onReturn(() => this.readLost()),
    ];
    leaving.addEventListener("abort", () => {
      for (const end of ends) end();
      for (const reply of this.#following.values()) reply.abort();
    });
  }

  find(chat: string): FollowedReply | undefined {
    return this.#following.get(chat);
  }

  /** `asked`: what the reply answers; null to begin by joining it. */
  follow(chat: string, asked: Asked | null, known: KnownReply): void {
    const reply = new FollowedReply({ store: this.#store, api: this.#api, join: this.#join, chat, asked, known });
    this.#following.set(chat, reply);
    void reply.finished.then(({ isLost }) => {
      // Behind its last word the next reply may have begun already.
      if (this.#following.get(chat) === reply) this.#following.delete(chat);
      if (isLost) this.#lost.add(chat);
    });
  }

  /** Goes on with a reply that was being written when its chat was read, or that our server goes on with when it is read. */
  join(chat: string): void {
    const last = this.#conversation(chat)?.messages.at(-1);
    const isOpen = last?.state === "writing" || last?.resumes;
    if (this.#following.has(chat) || !last || last.role !== "assistant" || !isOpen || last.id === null) return;
    // A reply that nobody writes, though its state says so, must not be asked for again and again.
    const place = `${last.id}:${last.content.length}`;
    if (this.#joined.has(place)) return;
    this.#joined.add(place);
    this.#store.dispatch(chatEvents.joinStream({ chat }));
    this.follow(chat, null, { reply: last.id, text: last.content });
  }

  /** The way to the server may be back: what became of the replies that were given up is read, and then joined. */
  readLost(): void {
    for (const chat of this.#lost) {
      this.#joined.clear();
      if (!this.#conversation(chat)) {
        this.#lost.delete(chat);
        continue;
      }
      const read = () => this.#lost.delete(chat);
      this.#store.dispatch(refreshChat(chat)).then(read, () => {});
    }
  }

  #conversation(chat: string) {
    return this.#store.getState().chats.conversations[chat];
  }
}
