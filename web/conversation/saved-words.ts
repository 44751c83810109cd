import { SECOND } from "#contract/limits.ts";
import { onStorageChange } from "../storage/browser-storage.ts";
import { Draft } from "./draft.ts";
import { type Drafts, draftPrefix, isOf } from "./stored-drafts.ts";

/** Time after another tab has emptied a box in which its chat's deletion may still arrive. */
const REMEMBERED_MS = 10 * SECOND;
/** Time in which the tab that deleted a chat removes its drafts; only for chats of this browser that are not open. */
const FORGOTTEN_WITHIN_MS = 3 * SECOND;

/**
 * Moves the drafts of a chat that was deleted elsewhere to the box of a new chat. The tab that deletes a chat empties
 * its box and those of its questions in all tabs, so removed drafts are cached for a moment.
 */
export class SavedWords {
  readonly #prefix: string;
  readonly #drafts: Drafts;
  readonly #removed = new Map<string, { draft: Draft; at: number }>();
  readonly #stopFollowing: () => void;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(account: string, drafts: Drafts) {
    this.#prefix = draftPrefix(account);
    this.#drafts = drafts;
    this.#stopFollowing = onStorageChange(this.#remember);
  }

  /** Returns whether drafts were moved. Those of a chat that is not open are moved later. */
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
    const draftKey = key.slice(this.#prefix.length);
    if (newValue === null && oldValue)
      this.#removed.set(draftKey, { draft: Draft.fromStored(oldValue), at: Date.now() });
    else this.#removed.delete(draftKey);
  };

  /** Returns the drafts of a chat that were removed within `REMEMBERED_MS`. */
  #lastOf(chat: string): [draftKey: string, draft: Draft][] {
    const last = [...this.#removed].filter(
      ([draftKey, { at }]) => isOf(draftKey, chat) && Date.now() - at < REMEMBERED_MS,
    );
    return last.map(([draftKey, { draft }]) => [draftKey, draft]);
  }

  #move(chat: string, drafts: ReadonlyMap<string, Draft>): boolean {
    if (drafts.size === 0) return false;
    for (const draft of drafts.values()) {
      const there = this.#drafts.get(null);
      // Another tab may have saved the same text already.
      if (!there.includes(draft)) this.#drafts.set(null, there.join(draft));
    }
    this.#drafts.forget(chat);
    return true;
  }
}
