import { SECOND } from "#contract/limits.ts";
import { onStorageChange } from "../storage/browser-storage.ts";
import { Draft } from "./draft.ts";
import { type Drafts, isOf } from "./stored-drafts.ts";

/** So long after another tab has emptied a box, its chat's deletion may still be on its way. */
const REMEMBERED_MS = 10 * SECOND;
/** So long a chat of this browser that was not open may wait for the tab that deleted it to forget its words. */
const FORGOTTEN_WITHIN_MS = 3 * SECOND;

/**
 * What was written in a chat that somebody deleted elsewhere goes on in the box of a new chat. The tab that deletes a chat
 * empties its box and those of its questions in all tabs, so what stood there last is remembered for a moment.
 */
export class SavedWords {
  readonly #prefix: string;
  readonly #drafts: Drafts;
  readonly #removed = new Map<string, { draft: Draft; at: number }>();
  readonly #stopFollowing: () => void;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(account: string, drafts: Drafts) {
    this.#prefix = `draft:${account}:`;
    this.#drafts = drafts;
    this.#stopFollowing = onStorageChange(this.#remember);
  }

  /** True: there was something, and it is in the box of a new chat now. */
  save = (chat: string, isOpen: boolean): boolean => {
    if (isOpen) return this.#move(chat, new Map([...this.#lastOf(chat), ...this.#drafts.listOf(chat)]));
    const timer = setTimeout(() => this.#move(chat, this.#drafts.listOf(chat)), FORGOTTEN_WITHIN_MS);
    this.#timers.add(timer);
    return false;
  };

  dispose(): void {
    this.#stopFollowing();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  readonly #remember = ({ key, oldValue, newValue }: StorageEvent): void => {
    if (!key?.startsWith(this.#prefix)) return;
    const place = key.slice(this.#prefix.length);
    if (newValue === null && oldValue) this.#removed.set(place, { draft: Draft.fromStored(oldValue), at: Date.now() });
    else this.#removed.delete(place);
  };

  /** What stood in the places of a chat until a moment ago. */
  #lastOf(chat: string): [place: string, draft: Draft][] {
    const last = [...this.#removed].filter(([place, { at }]) => isOf(place, chat) && Date.now() - at < REMEMBERED_MS);
    return last.map(([place, { draft }]) => [place, draft]);
  }

  #move(chat: string, drafts: ReadonlyMap<string, Draft>): boolean {
    if (drafts.size === 0) return false;
    for (const draft of drafts.values()) {
      const there = this.#drafts.get(null);
      // Another tab may have saved the same words already.
      if (!there.includes(draft)) this.#drafts.set(null, there.join(draft));
    }
    this.#drafts.forget(chat);
    return true;
  }
}
