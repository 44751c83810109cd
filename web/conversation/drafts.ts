import { newRequestKey } from "../api/request-key.ts";
import { onStorageChange, readStorage, storedKeys, writeStorage } from "../storage/browser-storage.ts";
import { Emitter } from "../store/emitter.ts";
import { type SendKey, SendKeys } from "./idempotency-keys.ts";

type Chat = string | null;

/** Words on their way to the server, and the name of that one intended send. */
export type Ticket = SendKey & { place: string };
/** `isAnswered`: the server has said yes or no. Without an answer the same words are still the same message. */
export type Settlement = { isTaken: boolean; isAnswered: boolean };

/** The box of a conversation, as its screen uses it. */
export type DraftBox = Pick<Drafts, "subscribe" | "get" | "set" | "take" | "settle" | "hasAny" | "clear" | "close">;

/** Moves what stands in the box of `chat` to the box of another conversation, unless something stands there. */
export function moveWords(from: DraftBox, chat: string | null, to: DraftBox): void {
  const words = from.get(chat);
  if (words.trim() === "" || to.get(null) !== "") return;
  to.set(null, words);
  from.set(chat, "");
}

const prefixOf = (account: string) => `draft:${account}:`;
/** Where the words of a question stand that is worded anew. */
export const editOf = (chat: string, message: string) => `${chat}/${message}`;
/** Whether a place is the box of a chat or one of its questions. */
export const isOf = (place: string, chat: string) => place === chat || place.startsWith(editOf(chat, ""));
const nameOf = (chat: Chat) => chat ?? "new";
const join = (texts: readonly string[]) => texts.filter((text) => text.trim() !== "").join("\n\n");

/**
 * What a person has written and not sent, by chat (null: the one that is not there yet). Kept in the browser's storage
 * under the account, so that it survives the page and is shown to that account alone, in all its tabs. Words that are
 * being sent stay stored until the server has taken them.
 */
export class Drafts {
  readonly #prefix: string;
  readonly #keys: SendKeys;
  readonly #texts = new Map<string, string>();
  /** What this tab last read or wrote: anything else in the storage is another tab's. */
  readonly #stored = new Map<string, string>();
  readonly #leaving = new Set<Ticket>();
  /** What was written in deleted chats, by its place. */
  readonly #aside = new Map<string, ReadonlyMap<string, string>>();
  readonly #changes = new Emitter();
  readonly #stopFollowing: () => void;
  #isClosed = false;

  constructor(account: string) {
    this.#prefix = prefixOf(account);
    this.#keys = new SendKeys(account);
    this.#stopFollowing = onStorageChange(this.#follow);
  }

  subscribe = this.#changes.subscribe;

  get(chat: Chat): string {
    return this.#textOf(nameOf(chat));
  }

  set(chat: Chat, text: string): void {
    const name = nameOf(chat);
    // Words that were changed are another message, also when they are changed back.
    const sent = this.#keys.read(name);
    if (sent && sent.text !== text && this.#leavingFrom(name).length === 0) this.#keys.remove(name);
    this.#change(name, text);
  }

  /** Empties the box to send what was in it; {@link settle} must follow. */
  take(chat: Chat, model: string): Ticket {
    const place = nameOf(chat);
    const text = this.#textOf(place);
    const before = this.#keys.read(place);
    const isSame = before?.text === text && before.model === model;
    const ticket = { place, text, model, key: isSame ? before.key : newRequestKey() };
    this.#leaving.add(ticket);
    this.#keys.write(place, ticket);
    this.#change(place, "");
    return ticket;
  }

  /** After a send: the words are gone, or they go back to the box of `backTo`, before what was typed since. */
  settle(ticket: Ticket, { isTaken, isAnswered }: Settlement, backTo: Chat): void {
    if (!this.#leaving.delete(ticket)) return;
    const { place, text } = ticket;
    const isLatest = this.#keys.read(place)?.key === ticket.key;
    if (isLatest && (isAnswered || nameOf(backTo) !== place)) this.#keys.remove(place);
    if (this.#read(place) === this.#stored.get(place)) this.#write(place);
    else if (this.#textOf(place) === "") this.#take(place);
    if (!isTaken) this.#change(nameOf(backTo), join([text, this.get(backTo)]));
  }

  /** A chat was made: what is being sent to the new one is its own, and so is what stands in the box if `withBox`. */
  adopt(chat: string, withBox: boolean): void {
    const from = nameOf(null);
    const moved = this.#leavingFrom(from);
    const text = withBox ? this.#textOf(from) : "";
    for (const ticket of moved) {
      ticket.place = chat;
      this.#keys.write(chat, ticket);
    }
    if (moved.length > 0) this.#keys.remove(from);
    if (moved.length === 0 && text === "") return;
    // The new place first: at no moment are the words nowhere.
    this.#change(chat, join([this.#textOf(chat), text]));
    this.#change(from, withBox ? "" : this.#textOf(from));
  }

  /** What was written in a chat, or is on its way from there, by its place: its box, then its questions. */
  wordsOf(chat: string): ReadonlyMap<string, string> {
    const words = this.#placesOf(chat).map(
      (name) => [name, join([...this.#wordsFrom(name), this.#textOf(name)])] as const,
    );
    return new Map(words.filter(([, text]) => text !== ""));
  }

  /** The chat is deleted, and with it what was written in it. */
  forget(chat: string): void {
    for (const name of this.#placesOf(chat)) {
      for (const ticket of this.#leavingFrom(name)) this.#leaving.delete(ticket);
      this.#keys.remove(name);
      this.#change(name, "");
    }
  }

  /** The chat is deleted, which may be undone: what was written in it is out of sight until {@link bringBack}. */
  setAside(chat: string): void {
    const words = this.wordsOf(chat);
    if (words.size > 0) this.#aside.set(chat, words);
    this.forget(chat);
  }

  /** The chat is there again, and with it what was written in it. */
  bringBack(chat: string): void {
    const words = this.#aside.get(chat) ?? [];
    this.#aside.delete(chat);
    for (const [name, text] of words) this.#change(name, join([text, this.#textOf(name)]));
  }

  /** The chat is gone: what was written in it goes on in the box of a new one. */
  handOn(chat: string): void {
    const text = join([...this.wordsOf(chat).values()]);
    if (text !== "") this.#change(nameOf(null), join([this.get(null), text]));
    this.forget(chat);
  }

  hasAny(): boolean {
    return storedKeys(this.#prefix).some((name) => this.#read(name).trim() !== "");
  }

  /** Forgets everything, here and in the storage, for good: nothing is stored after that. */
  clear(): void {
    this.close();
    for (const name of storedKeys(this.#prefix)) writeStorage(this.#prefix + name, null);
    this.#keys.clear();
    this.#texts.clear();
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
    const names = key === null ? [...this.#texts.keys()] : [key.slice(this.#prefix.length)];
    // While words of this tab are on their way, what it knows of the box goes first.
    for (const name of names) if (this.#leavingFrom(name).length === 0) this.#take(name);
    this.#changes.notify();
  };

  #leavingFrom(name: string): Ticket[] {
    return [...this.#leaving].filter(({ place }) => place === name);
  }

  #wordsFrom(name: string): string[] {
    return this.#leavingFrom(name).map(({ text }) => text);
  }

  #placesOf(chat: string): string[] {
    const leaving = [...this.#leaving].map(({ place }) => place);
    const names = [...storedKeys(this.#prefix), ...this.#texts.keys(), ...leaving].filter((name) => isOf(name, chat));
    return [...new Set([chat, ...names])];
  }

  #textOf(name: string): string {
    return this.#texts.get(name) ?? this.#take(name);
  }

  #change(name: string, text: string): void {
    this.#texts.set(name, text);
    this.#write(name);
    this.#changes.notify();
  }

  /** What is stored becomes what is in the box. */
  #take(name: string): string {
    const stored = this.#isClosed ? "" : this.#read(name);
    this.#texts.set(name, stored);
    this.#stored.set(name, stored);
    return stored;
  }

  #read(name: string): string {
    return readStorage(this.#prefix + name) ?? "";
  }

  #write(name: string): void {
    if (this.#isClosed) return;
    const text = join([...this.#wordsFrom(name), this.#texts.get(name) ?? ""]);
    this.#stored.set(name, text);
    writeStorage(this.#prefix + name, text === "" ? null : text, "What was written");
  }
}
