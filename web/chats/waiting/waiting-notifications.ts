import * as z from "zod/mini";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { TabChannel, TabTools } from "../../api/events/tab-tools.ts";
import type { PageVisibility } from "../../api/page-visibility.ts";
import waiting from "../../locales/en/waiting.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { chatAddress, readChatAddress } from "../chat-address.ts";
import { shownTitle } from "../shown-title.ts";
import type { ChatsStore } from "../state/chats-store.ts";
import { SystemNotifications } from "./system-notifications.ts";

registerTexts("waiting", waiting);

/** Time in which a visible tab answers that it shows the chat. */
const ANSWER_MS = 500;

/** Messages between tabs. `asked`: the chat of a notification that is about to be shown; `shown`: a tab shows it. */
const messageSchema = z.union([z.object({ asked: z.string() }), z.object({ shown: z.string() })]);
type Message = z.infer<typeof messageSchema>;

/** Message of the service worker after a click on a notification: the id of its chat. */
const clickSchema = z.object({ openChat: z.string() });

export type WaitingDeps = {
  account: string;
  store: ChatsStore;
  page: PageVisibility;
  tabs: TabTools;
  /** Whether this tab reads the account's events for all tabs: it alone shows notifications. */
  isLeader: () => boolean;
};

/**
 * Shows a notification when a chat begins to wait for a decision and no tab of the account shows that chat; closes it
 * when the chat does not wait any more.
 */
export class WaitingNotifications {
  readonly #deps: WaitingDeps;
  readonly #channel: TabChannel;
  readonly #notifications = new SystemNotifications();
  /** Chats whose notification waits for the other tabs' answers. */
  readonly #pending = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #endings: (() => void)[] = [];
  /** The list before the last change; null until the history was read. */
  #before: readonly ChatListItem[] | null = null;

  constructor(deps: WaitingDeps) {
    this.#deps = deps;
    this.#channel = deps.tabs.openChannel(`parley-waiting:${deps.account}`);
    this.#channel.listen((message) => this.#receive(message));
    this.#endings.push(
      () => this.#channel.close(),
      deps.store.subscribe(() => this.#onStoreChange()),
    );
    if ("serviceWorker" in navigator) this.#followWorker(navigator.serviceWorker);
    this.#onStoreChange();
  }

  /** Closes all notifications: they contain titles of chats. */
  dispose(): void {
    for (const end of this.#endings) end();
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
    void this.#notifications.close(() => true);
  }

  #followWorker(worker: ServiceWorkerContainer): void {
    const onMessage = ({ data }: MessageEvent) => {
      const click = clickSchema.safeParse(data);
      if (click.success) openChatPage(click.data.openChat);
    };
    worker.addEventListener("message", onMessage);
    this.#endings.push(() => worker.removeEventListener("message", onMessage));
  }

  #onStoreChange(): void {
    const { chats, hasLoadedHistory } = this.#deps.store.getState().chats;
    const before = this.#before;
    if (!hasLoadedHistory || chats === before) return;
    this.#before = chats;
    if (before === null) {
      void this.#notifications.close((chat) => !this.#isWaiting(chat));
      return;
    }
    const known = new Map(before.map((chat) => [chat.id, chat]));
    const newest = before[0]?.updatedAt ?? 0;
    for (const { id, isWaiting, updatedAt } of chats) {
      const last = known.get(id);
      // An unknown older chat comes from a further page of the history, and has waited before.
      if (isWaiting && !last?.isWaiting && (last || updatedAt > newest)) this.#begin(id);
    }
    const ended = before.filter((chat) => chat.isWaiting && !this.#isWaiting(chat.id)).map(({ id }) => id);
    if (ended.length > 0) this.#end(ended);
  }

  #begin(chat: string): void {
    if (!this.#deps.isLeader() || this.#isShown(chat) || this.#pending.has(chat)) return;
    this.#post({ asked: chat });
    this.#pending.set(
      chat,
      setTimeout(() => void this.#show(chat), ANSWER_MS),
    );
  }

  #end(chats: readonly string[]): void {
    for (const chat of chats) this.#cancel(chat);
    void this.#notifications.close((chat) => chats.includes(chat));
  }

  #cancel(chat: string): void {
    clearTimeout(this.#pending.get(chat));
    this.#pending.delete(chat);
  }

  async #show(chat: string): Promise<void> {
    this.#pending.delete(chat);
    const item = this.#find(chat);
    if (!item || this.#isShown(chat)) return;
    await this.#notifications.show({
      chat,
      title: shownTitle(item),
      body: i18n.t("waiting:body"),
      address: chatAddress(chat),
      onClick: () => openChatPage(chat),
    });
    // The chat may have been answered meanwhile.
    if (!this.#isWaiting(chat)) this.#end([chat]);
  }

  #receive(data: unknown): void {
    const parsed = messageSchema.safeParse(data);
    if (!parsed.success) return;
    const message = parsed.data;
    if ("shown" in message) this.#cancel(message.shown);
    else if (this.#isShown(message.asked)) this.#post({ shown: message.asked });
  }

  #post(message: Message): void {
    this.#channel.post(message);
  }

  #find(chat: string): ChatListItem | undefined {
    return this.#deps.store.getState().chats.chats.find(({ id }) => id === chat);
  }

  #isWaiting(chat: string): boolean {
    return this.#find(chat)?.isWaiting === true;
  }

  /** Whether this tab shows the chat. The store's current chat remains while the person is on another page. */
  #isShown(chat: string): boolean {
    const { pathname, search } = window.location;
    const isAddressed = pathname === "/chat" && readChatAddress(new URLSearchParams(search)).chat === chat;
    return isAddressed && this.#deps.page.isVisible();
  }
}

/** Opens a chat in this tab without loading the page again: the router follows `popstate`. */
function openChatPage(chat: string): void {
  window.history.pushState(null, "", chatAddress(chat));
  window.dispatchEvent(new PopStateEvent("popstate"));
}
