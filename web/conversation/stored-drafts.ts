import { FORM_DRAFT_PREFIX } from "../accounts/session/unsaved-words.ts";
import { newRequestKey } from "../api/request-key.ts";
import type { DraftedFile } from "../files/draft-files.ts";
import { onStorageChange, readStorage, storedKeys, writeStorage } from "../storage/browser-storage.ts";
import { Emitter } from "../store/emitter.ts";
import { Draft } from "./draft.ts";
import { type SendKey, SendKeys } from "./idempotency-keys.ts";

type Chat = string | null;

/** A draft that is being sent, with the key of that one intended send. */
export type Ticket = SendKey & { draftKey: string };
/** `isAnswered`: the server has accepted or refused. Without an answer the same text is still the same message. */
export type Settlement = { isTaken: boolean; isAnswered: boolean };

/** The drafts of a conversation, as its screen uses them. */
export type DraftBox = Pick<
  Drafts,
  "subscribe" | "get" | "set" | "take" | "settle" | "holdsFile" | "hasAny" | "clear" | "close"
>;

/**
 * Moves the text of the draft of `chat` to the box of a new chat of another conversation, unless there is a draft.
 * Returns its files, whose bytes are elsewhere and follow later; they stay in the draft until then.
 */
export function moveText(from: DraftBox, chat: string | null, to: DraftBox): readonly DraftedFile[] {
  const draft = from.get(chat);
  if (draft.isEmpty || !to.get(null).isUntouched) return [];
  to.set(null, new Draft(draft.text));
  from.set(chat, draft.withText(""));
  return draft.files;
}

export const draftPrefix = (account: string) => `draft:${account}:`;
/** Location of the draft of an edited question. */
export const editOf = (chat: string, message: string) => `${chat}/${message}`;
/** Whether a draft key is that of the box of a chat or one of its questions. */
export const isOf = (draftKey: string, chat: string) => draftKey === chat || draftKey.startsWith(editOf(chat, ""));
const nameOf = (chat: Chat) => chat ?? "new";
/** Returns the chat of a draft key; null for the chat that is not created yet, and for a form. */
export function chatOfDraft(draftKey: string): Chat {
  const [chat = ""] = draftKey.split("/");
  return chat === nameOf(null) || chat.startsWith(FORM_DRAFT_PREFIX) ? null : chat;
}
const joined = (drafts: readonly Draft[]) => drafts.reduce((above, below) => above.join(below), Draft.empty);

/**
 * Unsent text by chat (null: the chat that is not created yet). Stored in local storage under the account, so that it
 * survives the page and is shown to that account only, in all its tabs. Text that is being sent stays stored until the
 * server has accepted it.
 */
export class Drafts {
  readonly #prefix: string;
  readonly #keys: SendKeys;
  readonly #drafts = new Map<string, Draft>();
  /** The text that this tab last read from or wrote to the storage: any other stored text is another tab's. */
  readonly #stored = new Map<string, Draft>();
  readonly #leaving = new Set<Ticket>();
  /** Drafts of deleted chats, by draft key. */
  readonly #stashed = new Map<string, ReadonlyMap<string, Draft>>();
  readonly #changes = new Emitter();
  readonly #stopFollowing: () => void;
  #isClosed = false;

  constructor(account: string) {
    this.#prefix = draftPrefix(account);
    this.#keys = new SendKeys(account);
    this.#stopFollowing = onStorageChange(this.#follow);
  }

  subscribe = this.#changes.subscribe;

  get(chat: Chat): Draft {
    return this.#draftOf(nameOf(chat));
  }

  set(chat: Chat, draft: Draft): void {
    const name = nameOf(chat);
    // Changed text is another message, even if the change is undone.
    const sent = this.#keys.read(name);
    if (sent && !sent.draft.isSame(draft) && this.#leavingFrom(name).length === 0) this.#keys.remove(name);
    this.#change(name, draft);
  }

  /** Empties the box to send its text; {@link settle} must follow. */
  take(chat: Chat, model: string): Ticket {
    const draftKey = nameOf(chat);
    const draft = this.#draftOf(draftKey);
    const before = this.#keys.read(draftKey);
    const isSame = before?.draft.isSame(draft) && before.model === model;
    const ticket = before && isSame ? { ...before, draftKey } : { draftKey, draft, model, key: newRequestKey() };
    this.#leaving.add(ticket);
    this.#keys.write(draftKey, ticket);
    this.#change(draftKey, Draft.empty);
    return ticket;
  }

  /**
   * Settles a send: removes the text, or puts it back into the box of `backTo`, before any text typed since. Returns
   * false if the send was settled before.
   */
  settle(ticket: Ticket, { isTaken, isAnswered }: Settlement, backTo: Chat): boolean {
    if (!this.#leaving.delete(ticket)) return false;
    const { draftKey, draft } = ticket;
    const isLatest = this.#keys.read(draftKey)?.key === ticket.key;
    if (isLatest && (isAnswered || nameOf(backTo) !== draftKey)) this.#keys.remove(draftKey);
    if (this.#read(draftKey).isSame(this.#stored.get(draftKey) ?? Draft.empty)) this.#write(draftKey);
    else if (this.#draftOf(draftKey).isUntouched) this.#take(draftKey);
    if (!isTaken) this.#change(nameOf(backTo), draft.join(this.get(backTo)));
    return true;
  }

  /** Moves the text of a first message to its new chat, with the draft in the box if `withBox`. */
  adopt(chat: string, withBox: boolean): void {
    const from = nameOf(null);
    const moved = this.#leavingFrom(from);
    const draft = withBox ? this.#draftOf(from) : Draft.empty;
    for (const ticket of moved) {
      ticket.draftKey = chat;
      this.#keys.write(chat, ticket);
    }
    if (moved.length > 0) this.#keys.remove(from);
    if (moved.length === 0 && draft.isUntouched) return;
    // Writes the new draft key first: the text is stored at every moment.
    this.#change(chat, this.#draftOf(chat).join(draft));
    this.#change(from, withBox ? Draft.empty : this.#draftOf(from));
  }

  /** Returns the text written in a chat or being sent from it, by draft key: its box, then its questions. */
  listOf(chat: string): ReadonlyMap<string, Draft> {
    const drafts = this.#draftKeysOf(chat).map((name) => [name, this.#unsentOf(name)] as const);
    return new Map(drafts.filter(([, { isUntouched }]) => !isUntouched));
  }

  /** Removes the drafts of a deleted chat. */
  forget(chat: string): void {
    for (const name of this.#draftKeysOf(chat)) {
      for (const ticket of this.#leavingFrom(name)) this.#leaving.delete(ticket);
      this.#keys.remove(name);
      this.#change(name, Draft.empty);
    }
  }

  /** Hides the drafts of a chat whose deletion may be undone, until {@link bringBack}. */
  stash(chat: string): void {
    const drafts = this.listOf(chat);
    if (drafts.size > 0) this.#stashed.set(chat, drafts);
    this.forget(chat);
  }

  /** Restores the drafts of a chat whose deletion was undone. */
  bringBack(chat: string): void {
    const drafts = this.#stashed.get(chat) ?? [];
    this.#stashed.delete(chat);
    for (const [name, draft] of drafts) this.#change(name, draft.join(this.#draftOf(name)));
  }

  /** Moves the drafts of a chat that was deleted elsewhere to the box of a new chat. */
  handOn(chat: string): void {
    const draft = joined([...this.listOf(chat).values()]);
    if (!draft.isUntouched) this.#change(nameOf(null), this.get(null).join(draft));
    this.forget(chat);
  }

  /** Whether a file belongs to a draft, to a message that is being sent, or to a draft that may be restored. */
  holdsFile(id: string): boolean {
    const drafts = [
      ...this.#drafts.values(),
      ...storedKeys(this.#prefix).map((name) => this.#read(name)),
      ...[...this.#leaving].map(({ draft }) => draft),
      ...[...this.#stashed.values()].flatMap((drafts) => [...drafts.values()]),
    ];
    return drafts.some(({ files }) => files.some((file) => file.id === id));
  }

  hasAny(): boolean {
    return storedKeys(this.#prefix).some((name) => !this.#read(name).isEmpty);
  }

  /** Removes all drafts from memory and storage; nothing is stored after that. */
  clear(): void {
    this.close();
    for (const name of storedKeys(this.#prefix)) writeStorage(this.#prefix + name, null);
    this.#keys.clear();
    this.#drafts.clear();
    this.#leaving.clear();
    this.#stashed.clear();
    this.#changes.notify();
    this.dispose();
  }

  /** Stores nothing any more: at the end of the session the storage is cleared, or keeps the text that is to stay. */
  close(): void {
    this.#isClosed = true;
  }

  /** Stops following other tabs. */
  dispose(): void {
    this.#stopFollowing();
  }

  readonly #follow = ({ key }: StorageEvent): void => {
    if (key !== null && !key.startsWith(this.#prefix)) return;
    const names = key === null ? [...this.#drafts.keys()] : [key.slice(this.#prefix.length)];
    // While text of this tab is being sent, its own state of the box takes precedence.
    for (const name of names) if (this.#leavingFrom(name).length === 0) this.#take(name);
    this.#changes.notify();
  };

  #leavingFrom(name: string): Ticket[] {
    return [...this.#leaving].filter(({ draftKey }) => draftKey === name);
  }

  /** Returns the text being sent from a draft key, followed by its draft. */
  #unsentOf(name: string, draft = this.#draftOf(name)): Draft {
    return joined([...this.#leavingFrom(name).map((ticket) => ticket.draft), draft]);
  }

  #draftKeysOf(chat: string): string[] {
    const leaving = [...this.#leaving].map(({ draftKey }) => draftKey);
    const names = [...storedKeys(this.#prefix), ...this.#drafts.keys(), ...leaving].filter((name) => isOf(name, chat));
    return [...new Set([chat, ...names])];
  }

  #draftOf(name: string): Draft {
    return this.#drafts.get(name) ?? this.#take(name);
  }

  #change(name: string, draft: Draft): void {
    this.#drafts.set(name, draft);
    this.#write(name);
    this.#changes.notify();
  }

  /** Reads the stored text into the box. */
  #take(name: string): Draft {
    const stored = this.#isClosed ? Draft.empty : this.#read(name);
    this.#drafts.set(name, stored);
    this.#stored.set(name, stored);
    return stored;
  }

  #read(name: string): Draft {
    return Draft.fromStored(readStorage(this.#prefix + name));
  }

  #write(name: string): void {
    if (this.#isClosed) return;
    const draft = this.#unsentOf(name, this.#drafts.get(name) ?? Draft.empty);
    if (writeStorage(this.#prefix + name, draft.toStored(), "What was written")) this.#stored.set(name, draft);
  }
}
