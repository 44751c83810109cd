import { Emitter } from "../store/emitter.ts";
import { useStore } from "../store/use-store.ts";
import { type Drafts, editOf } from "./stored-drafts.ts";

/** Questions of each chat that are being edited. Their text is stored as drafts, which reopen them. */
export class Edits {
  readonly #drafts: Pick<Drafts, "listOf"> | null;
  readonly #open = new Map<string, ReadonlySet<string>>();
  readonly #changes = new Emitter();

  constructor(drafts: Pick<Drafts, "listOf"> | null = null) {
    this.#drafts = drafts;
  }

  subscribe = this.#changes.subscribe;

  isOpen(chat: string, message: string): boolean {
    const open = this.#open.get(chat) ?? this.#left(chat);
    this.#open.set(chat, open);
    return open.has(message);
  }

  begin(chat: string, message: string): void {
    this.#open.set(chat, new Set([message]));
    this.#changes.notify();
  }

  end(chat: string): void {
    this.#open.set(chat, new Set());
    this.#changes.notify();
  }

  /** Returns the questions with drafts of an earlier page. */
  #left(chat: string): ReadonlySet<string> {
    const before = editOf(chat, "");
    const draftKeys = [...(this.#drafts?.listOf(chat).keys() ?? [])].filter((draftKey) => draftKey.startsWith(before));
    return new Set(draftKeys.map((draftKey) => draftKey.slice(before.length)));
  }
}

const noEdits = new Edits();

export function useIsEdited(edits: Edits = noEdits, chat: string | null, message: string | null): boolean {
  return useStore({
    subscribe: edits.subscribe,
    get: () => chat !== null && message !== null && edits.isOpen(chat, message),
  });
}
