import { isRunning, willGrow } from "#contract/conversation/reply-state.ts";
import type { Api } from "../api/client.ts";
import { onReturn } from "../api/on-return.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import { refreshChat } from "../chats/state/chats-thunks.ts";
import { type Asked, FollowedReply } from "./followed-reply.ts";
import type { JoinReply } from "./open-reply.ts";
import { type KnownReply, knownReply } from "./reply-parts.ts";

/** Follows replies, at most one in each chat. */
export class ReplyFollower {
  readonly #store: ChatsStore;
  readonly #api: Api;
  readonly #join: JoinReply;
  readonly #following = new Map<string, FollowedReply>();
  /** Chats whose reply was given up, because the server was unreachable or the chat was being deleted. */
  readonly #lost = new Set<string>();
  /** Positions that were joined and may be of an outdated state. */
  readonly #joined = new Set<string>();

  /** `leaving`: ends all following. */
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

  /** Follows a reply. `asked`: its request; null to join it. `onEnd`: called when the server has reported its end. */
  follow(chat: string, asked: Asked | null, known: KnownReply, onEnd = () => {}): void {
    const parts = { store: this.#store, api: this.#api, join: this.#join, chat, asked, known, onEnd };
    const reply = new FollowedReply(parts);
    this.#following.set(chat, reply);
    void reply.finished.then(({ isLost }) => {
      // The next reply may have started already.
      if (this.#following.get(chat) === reply) this.#following.delete(chat);
      if (isLost) this.#lost.add(chat);
    });
  }

  /** Joins the last reply of a loaded chat if it is running, or if the server continues it when it is read. */
  join(chat: string): void {
    const conversation = this.#conversation(chat);
    const last = conversation?.messages.at(-1);
    // Not `#following`: after its end, the previous reply stays there until the chat has been read again.
    if (conversation?.isWriting || !last || last.role !== "assistant" || !willGrow(last) || last.id === null) return;
    // Each position is joined once, so that a reply with an outdated state causes no request loop.
    const position = `${last.id}:${last.state}:${last.content.length}`;
    if (this.#joined.has(position)) return;
    this.#joined.add(position);
    this.#store.dispatch(chatEvents.joinStream({ chat }));
    // A reply that is `writing` after its stored end is in another run. A failed resumption leaves `resumes` set.
    const onEnd = isRunning(last.state) ? () => void this.#joined.delete(position) : undefined;
    this.follow(chat, null, knownReply(last), onEnd);
  }

  /** Reads the chats of replies that were given up, and joins them. */
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
