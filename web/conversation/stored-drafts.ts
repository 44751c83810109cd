import { newRequestKey } from "../api/request-key.ts";
import { onStorageChange, readStorage, storedKeys, writeStorage } from "../storage/browser-storage.ts";
import { Emitter } from "../store/emitter.ts";
import { Draft } from "./draft.ts";
import { type SendKey, SendKeys } from "./idempotency-keys.ts";

type Chat = string | null;

/** Words on their way to the server, and the name of that one intended send. */
export type Ticket = SendKey & { place: string };
/** `isAnswered`: the server has said yes or no. Without an answer the same words are still the same message. */
export type Settlement = { isTaken: boolean; isAnswered: boolean };

/** The box of a conversation, as its screen uses it. */
export type DraftBox = Pick<Drafts, "subscribe" | "get" | "set" | "take" | "settle" | "hasAny" | "clear" | "close">;

/** Moves the draft of `chat` to the box of a new chat of another conversation, unless there is a draft. */
export function moveDraft(from: DraftBox, chat: string | null, to: DraftBox): void {
  const draft = from.get(chat);
  if (draft.isEmpty || to.get(null).text !== "") return;
  to.set(null, draft);
  from.set(chat, Draft.empty);
}

const prefixOf = (account: string) => `draft:${account}:`;
/** Where the words of a question stand that is worded anew. */
export const editOf = (chat: string, message: string) => `${chat}/${message}`;
/** Whether a place is the box of a chat or one of its questions. */
export const isOf = (place: string, chat: string) => place === chat || place.startsWith(editOf(chat, ""));
const nameOf = (chat: Chat) => chat ?? "new";
const joined = (drafts: readonly Draft[]) => drafts.reduce((above, below) => above.join(below), Draft.empty);

/**
 * What a person has written and not sent, by chat (null: the one that is not there yet). Kept in the browser's storage
 * under the account, so that it survives the page and is shown to that account alone, in all its tabs. Words that are
 * being sent stay stored until the server has taken them.
 */
export class Drafts {
  readonly #prefix: string;
  readonly #keys: SendKeys;
  readonly #drafts = new Map<string, Draft>();
  /** What this tab last read or wrote: anything else in the storage is another tab's. */
  readonly #stored = new Map<string, Draft>();
  readonly #leaving = new Set<Ticket>();
  /** What was written in deleted chats, by its place. */
  readonly #aside = new Map<string, ReadonlyMap<string, Draft>>();
  readonly #changes = new Emitter();
  readonly #stopFollowing: () => void;
  #isClosed = false;

  constructor(account: string) {
    this.#prefix = prefixOf(account);
    this.#keys = new SendKeys(account);
    this.#stopFollowing = onStorageChange(this.#follow);
  }

  subscribe = this.#changes.subscribe;

  get(chat: Chat): Draft {
    return this.#draftOf(nameOf(chat));
  }

  set(chat: Chat, draft: Draft): void {
    const name = nameOf(chat);
    // Words that were changed are another message, also when they are changed back.
    const sent = this.#keys.read(name);
    if (sent && !sent.draft.isSame(draft) && this.#leavingFrom(name).length === 0) this.#keys.remove(name);
    this.#change(name, draft);
  }

  /** Empties the box to send what was in it; {@link settle} must follow. */
  take(chat: Chat, model: string): Ticket {
    const place = nameOf(chat);
    const draft = this.#draftOf(place);
    const before = this.#keys.read(place);
    const isSame = before?.draft.isSame(draft) && before.model === model;
    const ticket = { place, draft, model, key: before && isSame ? before.key : newRequestKey() };
    this.#leaving.add(ticket);
    this.#keys.write(place, ticket);
    this.#change(place, Draft.empty);
    return ticket;
  }

  /** After a send: the words are gone, or they go back to the box of `backTo`, before what was typed since. */
  settle(ticket: Ticket, { isTaken, isAnswered }: Settlement, backTo: Chat): void {
    if (!this.#leaving.delete(ticket)) return;
    const { place, draft } = ticket;
    const isLatest = this.#keys.read(place)?.key === ticket.key;
    if (isLatest && (isAnswered || nameOf(backTo) !== place)) this.#keys.remove(place);
    if (this.#read(place).isSame(this.#stored.get(place) ?? Draft.empty)) this.#write(place);
    else if (this.#draftOf(place).text === "") this.#take(place);
    if (!isTaken) this.#change(nameOf(backTo), draft.join(this.get(backTo)));
  }

  /** A chat was made: what is being sent to the new one is its own, and so is what stands in the box if `withBox`. */
  adopt(chat: string, withBox: boolean): void {
    const from = nameOf(null);
    const moved = this.#leavingFrom(from);
    const draft = withBox ? this.#draftOf(from) : Draft.empty;
    for (const ticket of moved) {
      ticket.place = chat;
      this.#keys.write(chat, ticket);
    }
    if (moved.length > 0) this.#keys.remove(from);
    if (moved.length === 0 && draft.text === "") return;
    // The new place first: at no moment are the words nowhere.
    this.#change(chat, this.#draftOf(chat).join(draft));
    this.#change(from, withBox ? Draft.empty : this.#draftOf(from));
  }

  /** What was written in a chat, or is on its way from there, by its place: its box, then its questions. */
  listOf(chat: string): ReadonlyMap<string, Draft> {
    const drafts = this.#placesOf(chat).map((name) => [name, this.#unsentOf(name)] as const);
    return new Map(drafts.filter(([, { text }]) => text !== ""));
  }

  /** The chat is deleted, and with it what was written in it. */
  forget(chat: string): void {
    for (const name of this.#placesOf(chat)) {
      for (const ticket of this.#leavingFrom(name)) this.#leaving.delete(ticket);
      this.#keys.remove(name);
      this.#change(name, Draft.empty);
    }
  }

  /** The chat is deleted, which may be undone: what was written in it is out of sight until {@link bringBack}. */
  setAside(chat: string): void {
    const drafts = this.listOf(chat);
    if (drafts.size > 0) this.#aside.set(chat, drafts);
    this.forget(chat);
  }

  /** The chat is there again, and with it what was written in it. */
  bringBack(chat: string): void {
    const drafts = this.#aside.get(chat) ?? [];
    this.#aside.delete(chat);
    for (const [name, draft] of drafts) this.#change(name, draft.join(this.#draftOf(name)));
  }

  /** The chat is gone: what was written in it goes on in the box of a new one. */
  handOn(chat: string): void {
    const draft = joined([...this.listOf(chat).values()]);
    if (draft.text !== "") this.#change(nameOf(null), this.get(null).join(draft));
    this.forget(chat);
  }

  hasAny(): boolean {
    return storedKeys(this.#prefix).some((name) => !this.#read(name).isEmpty);
  }

  /** Forgets everything, here and in the storage, for good: nothing is stored after that. */
  clear(): void {
    this.close();
    for (const name of storedKeys(this.#prefix)) writeStorage(this.#prefix + name, null);
    this.#keys.clear();
    this.#drafts.clear();
    this.#leaving.clear();
    this.#aside.clear();
    this.#changes.notify();
    this.dispose();
  }

  /** Stores nothing any more: whoever has ended the session has cleared the storage, or left in it what is to stay. */
  close(): void {
    this.#isClosed = true;
  }

  /** Ends the following of other tabs. */
  dispose(): void {
    this.#stopFollowing();
  }

  readonly #follow = ({ key }: StorageEvent): void => {
    if (key !== null && !key.startsWith(this.#prefix)) return;
    const names = key === null ? [...this.#drafts.keys()] : [key.slice(this.#prefix.length)];
    // While words of this tab are on their way, what it knows of the box goes first.
    for (const name of names) if (this.#leavingFrom(name).length === 0) this.#take(name);
    this.#changes.notify();
  };

  #leavingFrom(name: string): Ticket[] {
    return [...this.#leaving].filter(({ place }) => place === name);
  }

  /** What is on its way from a place, and then what stands there. */
  #unsentOf(name: string, draft = this.#draftOf(name)): Draft {
    return joined([...this.#leavingFrom(name).map((ticket) => ticket.draft), draft]);
  }

  #placesOf(chat: string): string[] {
    const leaving = [...this.#leaving].map(({ place }) => place);
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

  /** What is stored becomes what is in the box. */
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
    this.#stored.set(name, draft);
    writeStorage(this.#prefix + name, draft.toStored(), "What was written");
  }
}
