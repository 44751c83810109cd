import type { AccountChange } from "#contract/account-events.ts";
import type { Folder } from "#contract/folders.ts";
import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
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

const DELETION_TOLD_MS = 10 * SECOND;
/** The server names a chat some moments after its first reply. */
const NAMED_AFTER_MS = 5 * SECOND;

type Parts = {
  store: ChatsStore;
  api: Api;
  page: PageVisibility;
  /** A chat that is gone: saves what was written in its box, if the person has it open. True: there was something. */
  saveWords: (chat: string, isOpen: boolean) => boolean;
  /** No reply is being written in the chat any more. */
  onReplyEnd: (chat: string) => void;
  /** What is written in the box of a chat, or of the welcome. */
  wordsIn: (chat: string | null) => string;
};

const isOfHistory = (work: Work) => work === "history" || work.startsWith("folder:");

/** Keeps what this page shows as the account's events say that it is, and tells the server what was looked at. */
export class ChatsFollower {
  readonly #parts: Parts;
  readonly #endings: (() => void)[];
  /** While the history is being read: its answer may be older than what is told meanwhile. */
  #heard: AccountChange[] = [];
  #isRereading = false;
  #mustReread = false;
  /** Chats whose messages are being read, with what was told since. */
  readonly #reading = new Map<string, ChangedChat | null>();
  /** What was in the box of the chat that stayed when another could not be opened. */
  #wordsBefore = "";
  /** The server was back while a chat was being opened: that it fails may be from before. */
  #isBack = false;
  /** Told of a chat while it was being opened. */
  #opening: ChangedChat | null = null;
  readonly #seeing = new Set<string>();
  #before: ChatsState;
  /** Whether changes are told at the moment they happen. */
  isLive: () => boolean = () => false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#before = parts.store.getState().chats;
    this.#endings = [parts.store.subscribe(() => this.#look()), parts.page.subscribe(() => this.#lookAtPage())];
  }

  /** Something was told. */
  change(event: AccountChange): void {
    if (this.#isReadingHistory) this.#heard.push(event);
    if ("deleted" in event) this.#drop(event.deleted);
    else if ("chat" in event) this.#change(event.chat);
    else if ("folders" in event) this.#takeFolders(event.folders);
  }

  /** Something was missed: reads anew what is shown. */
  resync(): void {
    this.#resyncHistory();
    const { currentChat, conversations } = this.#chats;
    const conversation = currentChat === null ? undefined : conversations[currentChat];
    if (conversation?.isLoaded && !conversation.isWriting) void this.#reread(conversation.id);
  }

  /** The server is there: reads what could not be read before. Nobody is taken away from a box in which they write. */
  readMissing(): void {
    const { store, wordsIn } = this.#parts;
    const { missing, currentChat, opening, error } = this.#chats;
    this.#isBack = opening !== null;
    const isFree = wordsIn(currentChat).trim() === "" || wordsIn(currentChat) === this.#wordsBefore;
    if (error?.isOfOpening) store.dispatch(chatEvents.clearError());
    if (missing.history) void store.dispatch(loadHistory());
    if (missing.chat !== null && isFree) void store.dispatch(openChat(missing.chat));
  }

  dispose(): void {
    for (const end of this.#endings) end();
    tabCount.set(0);
  }

  get #chats(): ChatsState {
    return this.#parts.store.getState().chats;
  }

  get #isReadingHistory(): boolean {
    return this.#isRereading || this.#chats.loading.some(isOfHistory);
  }

  #change(chat: ChangedChat): void {
    const { store, onReplyEnd } = this.#parts;
    store.dispatch(chatEvents.changeChat({ chat }));
    const { opening, currentChat, conversations } = this.#chats;
    if (opening === chat.id) this.#opening = chat;
    else if (currentChat === chat.id && isOutdated(conversations[chat.id], chat)) void this.#reread(chat.id, chat);
    if (chat.replyId === null) onReplyEnd(chat.id);
  }

  #drop(chat: string): void {
    const { store, saveWords } = this.#parts;
    const { loading, currentChat, opening, chats, conversations } = this.#chats;
    // This page's own doing, of which the events told before the answer.
    if (loading.includes(`delete:${chat}`)) {
      store.dispatch(chatEvents.deleteChatSuccess({ chat }));
      return;
    }
    const isOpen = (opening ?? currentChat) === chat;
    const title = shownTitle(conversations[chat] ?? chats.find(({ id }) => id === chat) ?? { title: "" });
    const hasWords = saveWords(chat, isOpen);
    store.dispatch(chatEvents.dropChat({ chat, hasWords }));
    if (!isOpen) return;
    const text = i18n.t(hasWords ? "chat:elsewhere.deletedWithWords" : "chat:elsewhere.deleted", { title });
    notify("info", text, { durationMs: DELETION_TOLD_MS });
  }

  /** Chats that were read while a folder was gone do not know that they are in it, and nothing is told of them. */
  #takeFolders(folders: Folder[]): void {
    const known = new Set(this.#chats.folders.map(({ id }) => id));
    this.#parts.store.dispatch(chatEvents.organise({ folders }));
    if (folders.some(({ id }) => !known.has(id))) this.#resyncHistory();
  }

  #resyncHistory(): void {
    if (this.#isReadingHistory) this.#mustReread = true;
    else if (this.#chats.hasLoadedHistory) void this.#rereadHistory();
  }

  /** Reads the messages of a chat anew, and once more where something was told meanwhile. */
  async #reread(chat: string, told: ChangedChat | null = null): Promise<void> {
    if (this.#reading.has(chat)) {
      this.#reading.set(chat, told);
      return;
    }
    this.#reading.set(chat, null);
    try {
      await this.#parts.store.dispatch(refreshChat(chat));
    } catch (cause) {
      if (isGone(cause)) this.#drop(chat);
      // Whatever else it is: the next event, or the next look at the chat, tries again.
    }
    const toldSince = this.#reading.get(chat);
    this.#reading.delete(chat);
    if (toldSince && isOutdated(this.#chats.conversations[chat], toldSince)) await this.#reread(chat);
    else this.#see();
  }

  async #rereadHistory(): Promise<void> {
    this.#isRereading = true;
    this.#mustReread = false;
    // It was there and may be old; that is not worth an error.
    await this.#parts.store.dispatch(rereadHistory()).catch(() => {});
    this.#isRereading = false;
    this.#hearAgain();
  }

  #hearAgain(): void {
    if (this.#mustReread) {
      if (this.#chats.hasLoadedHistory) void this.#rereadHistory();
      this.#mustReread = false;
      return;
    }
    for (const event of this.#heard.splice(0)) this.change(event);
  }

  #look(): void {
    const before = this.#before;
    const now = this.#chats;
    if (now === before) return;
    this.#before = now;
    if (before.loading.some(isOfHistory) && !this.#isReadingHistory) this.#hearAgain();
    if (before.opening !== now.opening) this.#lookAtOpened();
    if (before.opening !== now.opening) this.#lookAtMissing();
    if (before.loading !== now.loading) this.#lookAtEnded(before, now);
    if (before.chats !== now.chats) this.#count();
    if (before.chats !== now.chats || before.currentChat !== now.currentChat || before.loading !== now.loading)
      this.#see();
  }

  #lookAtPage(): void {
    this.#count();
    this.#see();
  }

  #lookAtOpened(): void {
    const told = this.#opening;
    const { opening, currentChat, conversations } = this.#chats;
    if (told && opening === told.id) return;
    this.#opening = null;
    if (told && currentChat === told.id && isOutdated(conversations[told.id], told)) void this.#reread(told.id);
  }

  /** A chat was opened, or could not be. */
  #lookAtMissing(): void {
    const isBack = this.#isBack;
    const { missing, currentChat } = this.#chats;
    this.#isBack = false;
    if (missing.chat === null) return;
    this.#wordsBefore = this.#parts.wordsIn(currentChat);
    if (isBack) this.readMissing();
  }

  /** Where nothing is told, the name of a new chat has to be asked for. */
  #lookAtEnded(before: ChatsState, now: ChatsState): void {
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
    const { page } = this.#parts;
    tabCount.set(page.isVisible() ? 0 : this.#chats.chats.filter(({ isUnread }) => isUnread).length);
  }

  /** The newest reply of the chat that is on the screen has been looked at. */
  #see(): void {
    const { page, store, api } = this.#parts;
    const { currentChat: chat, opening, chats, conversations } = this.#chats;
    if (chat === null || opening !== null || !page.isVisible()) return;
    const conversation = conversations[chat];
    if (!conversation?.isLoaded || conversation.isWriting) return;
    if (this.#seeing.has(chat) || this.#reading.has(chat)) return;
    if (!chats.find(({ id }) => id === chat)?.isUnread) return;
    this.#seeing.add(chat);
    store.dispatch(chatEvents.seeReply({ chat }));
    const told = api.patch(paths.chat(encodeURIComponent(chat)), { isUnread: false }, null);
    // One that could not be told is told when the dot is next met.
    void told
      .catch(() => {})
      .finally(() => {
        this.#seeing.delete(chat);
        this.#see();
      });
  }
}
