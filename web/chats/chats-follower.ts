import type { AccountChange } from "#contract/conversation/account-events.ts";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { SECOND } from "#contract/limits.ts";
import type { Api } from "../api/client.ts";
import type { PageVisibility } from "../api/page-visibility.ts";
import { i18n } from "../locales/i18n.ts";
import { notify } from "../ui/notifications/notify.ts";
import { tabCount } from "../ui/tab-count.ts";
import { shownTitle } from "./shown-title.ts";
import { type ChangedChat, isOutdated } from "./state/chat-changes.ts";
import { chatEvents } from "./state/chats-slice.ts";
import type { ChatsState, Work } from "./state/chats-state.ts";
import type { ChatsStore } from "./state/chats-store.ts";
import { isGone, loadHistory, openChat, refreshChat, rereadHistory } from "./state/chats-thunks.ts";

const DELETION_NOTIFICATION_MS = 10 * SECOND;
/** The server names a chat some moments after its first reply. */
const NAMED_AFTER_MS = 5 * SECOND;

type Deps = {
  store: ChatsStore;
  api: Api;
  page: PageVisibility;
  /** Saves the draft of a deleted chat if it is open. Returns whether there was a draft. */
  saveWords: (chat: string, isOpen: boolean) => boolean;
  /** Called when no reply is being written in the chat any more. */
  onReplyEnd: (chat: string) => void;
  /** Returns the draft of a chat, or of the welcome screen (null). */
  wordsIn: (chat: string | null) => string;
};

const isOfHistory = (work: Work) => work === "history" || work.startsWith("folder:");

/** Applies the account's events to the chats store, reads again what may be stale, and marks seen replies as read. */
export class ChatsFollower {
  readonly #deps: Deps;
  readonly #endings: (() => void)[];
  /** Events received while the history is being read; the response may be older, so they are applied again after it. */
  #pendingEvents: AccountChange[] = [];
  #isRereading = false;
  #mustReread = false;
  /** Chats whose messages are being read, with the last change received since. */
  readonly #reading = new Map<string, ChangedChat | null>();
  /** Draft of the current chat at the time when another chat could not be opened. */
  #wordsBefore = "";
  /** The server became reachable while a chat was being opened: a failure may be from before that. */
  #isBack = false;
  /** The change received for a chat while it was being opened. */
  #opening: ChangedChat | null = null;
  readonly #seeing = new Set<string>();
  #before: ChatsState;
  /** Whether the event stream is connected, so that changes arrive immediately. */
  isLive: () => boolean = () => false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#before = deps.store.getState().chats;
    this.#endings = [
      deps.store.subscribe(() => this.#onStoreChange()),
      deps.page.subscribe(() => this.#onVisibilityChange()),
    ];
  }

  /** Applies an event of the account. */
  change(event: AccountChange): void {
    if (this.#isReadingHistory) this.#pendingEvents.push(event);
    if ("deleted" in event) this.#drop(event.deleted);
    else if ("chat" in event) this.#change(event.chat);
    else if ("folders" in event) this.#takeFolders(event.folders);
  }

  /** Reads the history and the open chat again after events were missed. */
  resync(): void {
    this.#resyncHistory();
    const { currentChat, conversations } = this.#chats;
    const conversation = currentChat === null ? undefined : conversations[currentChat];
    if (conversation?.isLoaded && !conversation.isWriting) void this.#reread(conversation.id);
  }

  /**
   * Reads what could not be read while the server was unreachable. Does not leave a chat whose draft was changed
   * meanwhile.
   */
  readMissing(): void {
    const { store, wordsIn } = this.#deps;
    const { missing, currentChat, opening, error } = this.#chats;
    this.#isBack = opening !== null;
    const isFree = wordsIn(currentChat).trim() === "" || wordsIn(currentChat) === this.#wordsBefore;
    if (error?.isOfOpening && missing.chat !== null) store.dispatch(chatEvents.clearError());
    if (missing.history) void store.dispatch(loadHistory());
    if (missing.chat !== null && isFree) void store.dispatch(openChat(missing.chat));
  }

  dispose(): void {
    for (const end of this.#endings) end();
    tabCount.set(0);
  }

  get #chats(): ChatsState {
    return this.#deps.store.getState().chats;
  }

  get #isReadingHistory(): boolean {
    return this.#isRereading || this.#chats.loading.some(isOfHistory);
  }

  #change(chat: ChangedChat): void {
    const { store, onReplyEnd } = this.#deps;
    store.dispatch(chatEvents.changeChat({ chat }));
    const { opening, currentChat, conversations } = this.#chats;
    if (opening === chat.id) this.#opening = chat;
    else if (currentChat === chat.id && isOutdated(conversations[chat.id], chat)) void this.#reread(chat.id, chat);
    if (chat.replyId === null) onReplyEnd(chat.id);
  }

  #drop(chat: string): void {
    const { store, saveWords } = this.#deps;
    const { loading, currentChat, opening, chats, conversations } = this.#chats;
    // This page deletes the chat itself: the event arrived before the response.
    if (loading.includes(`delete:${chat}`)) {
      store.dispatch(chatEvents.deleteChatSuccess({ chat }));
      return;
    }
    const isOpen = (opening ?? currentChat) === chat;
    const known: Pick<ChatListItem, "title" | "isUntitled"> = conversations[chat] ??
      chats.find(({ id }) => id === chat) ?? { title: "" };
    const title = shownTitle(known);
    const hasWords = saveWords(chat, isOpen);
    // A new chat looks the same as an empty one, which the server removes after a day.
    const isEmpty = known.isUntitled === true && !conversations[chat]?.messages.length;
    store.dispatch(chatEvents.dropChat({ chat, isLeft: hasWords || isEmpty }));
    if (!isOpen || isEmpty) return;
    const text = i18n.t(hasWords ? "chat:elsewhere.deletedWithWords" : "chat:elsewhere.deleted", { title });
    notify("info", text, { durationMs: DELETION_NOTIFICATION_MS });
  }

  /**
   * Stores the folders. Chats that were read while a restored folder was deleted lack its id, and no event follows for
   * them: a new folder causes a re-read.
   */
  #takeFolders(folders: Folder[]): void {
    const known = new Set(this.#chats.folders.map(({ id }) => id));
    this.#deps.store.dispatch(chatEvents.organise({ folders }));
    if (folders.some(({ id }) => !known.has(id))) this.#resyncHistory();
  }

  #resyncHistory(): void {
    if (this.#isReadingHistory) this.#mustReread = true;
    else if (this.#chats.hasLoadedHistory) void this.#rereadHistory();
  }

  /** Reads the messages of a chat again, and once more if they are outdated by a change received meanwhile. */
  async #reread(chat: string, change: ChangedChat | null = null): Promise<void> {
    if (this.#reading.has(chat)) {
      this.#reading.set(chat, change);
      return;
    }
    this.#reading.set(chat, null);
    try {
      await this.#deps.store.dispatch(refreshChat(chat));
    } catch (cause) {
      if (isGone(cause)) this.#drop(chat);
      // Any other failure: the next event, or opening the chat, retries.
    }
    const changeSince = this.#reading.get(chat);
    this.#reading.delete(chat);
    if (changeSince && isOutdated(this.#chats.conversations[chat], changeSince)) await this.#reread(chat);
    else this.#see();
  }

  async #rereadHistory(): Promise<void> {
    this.#isRereading = true;
    this.#mustReread = false;
    // On failure the history on the screen may be stale; that is not worth an error.
    await this.#deps.store.dispatch(rereadHistory()).catch(() => {});
    this.#isRereading = false;
    this.#applyPending();
  }

  #applyPending(): void {
    if (this.#mustReread) {
      if (this.#chats.hasLoadedHistory) void this.#rereadHistory();
      this.#mustReread = false;
      return;
    }
    for (const event of this.#pendingEvents.splice(0)) this.change(event);
  }

  #onStoreChange(): void {
    const before = this.#before;
    const now = this.#chats;
    if (now === before) return;
    this.#before = now;
    if (before.loading.some(isOfHistory) && !this.#isReadingHistory) this.#applyPending();
    if (before.opening !== now.opening) this.#handleOpened();
    if (before.opening !== now.opening) this.#handleMissing();
    if (before.loading !== now.loading) this.#handleEnded(before, now);
    if (before.chats !== now.chats) this.#count();
    if (before.chats !== now.chats || before.currentChat !== now.currentChat || before.loading !== now.loading)
      this.#see();
  }

  #onVisibilityChange(): void {
    this.#count();
    this.#see();
  }

  #handleOpened(): void {
    const changed = this.#opening;
    const { opening, currentChat, conversations } = this.#chats;
    if (changed && opening === changed.id) return;
    this.#opening = null;
    if (changed && currentChat === changed.id && isOutdated(conversations[changed.id], changed))
      void this.#reread(changed.id);
  }

  /** Handles the end of opening a chat, which may have failed. */
  #handleMissing(): void {
    const isBack = this.#isBack;
    const { missing, currentChat } = this.#chats;
    this.#isBack = false;
    if (missing.chat === null) return;
    this.#wordsBefore = this.#deps.wordsIn(currentChat);
    if (isBack) this.readMissing();
  }

  /** Without live events, reads a new chat again after its first reply to get the title from the server. */
  #handleEnded(before: ChatsState, now: ChatsState): void {
    if (this.isLive()) return;
    for (const work of before.loading) {
      if (!work.startsWith("send:") || now.loading.includes(work)) continue;
      const chat = work.slice("send:".length);
      if (now.conversations[chat]?.messages.length !== 2) continue;
      const timer = setTimeout(() => !this.isLive() && void this.#reread(chat), NAMED_AFTER_MS);
      this.#endings.push(() => clearTimeout(timer));
    }
  }

  #count(): void {
    const { page } = this.#deps;
    tabCount.set(
      page.isVisible() ? 0 : this.#chats.chats.filter(({ isUnread, isWaiting }) => isUnread || isWaiting).length,
    );
  }

  /** Marks the newest reply of the chat on the screen as read. */
  #see(): void {
    const { page, store, api } = this.#deps;
    const { currentChat: chat, opening, chats, conversations } = this.#chats;
    if (chat === null || opening !== null || !page.isVisible()) return;
    const conversation = conversations[chat];
    if (!conversation?.isLoaded || conversation.isWriting) return;
    if (this.#seeing.has(chat) || this.#reading.has(chat)) return;
    if (!chats.find(({ id }) => id === chat)?.isUnread) return;
    this.#seeing.add(chat);
    store.dispatch(chatEvents.seeReply({ chat }));
    const marked = api.patch(conversationPaths.chat(encodeURIComponent(chat)), { isUnread: false }, null);
    // A failed request is not retried: the chat is marked again when it is next shown as unread.
    void marked
      .catch(() => {})
      .finally(() => {
        this.#seeing.delete(chat);
        this.#see();
      });
  }
}
