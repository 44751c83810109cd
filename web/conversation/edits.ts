import { useSyncExternalStore } from "react";

/** Which question of each chat is being worded anew. Its words are among the drafts. */
export class Edits {
  readonly #open = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The id of the message. */
  of(chat: string): string | undefined {
    return this.#open.get(chat);
  }

  begin(chat: string, message: string): void {
    this.#open.set(chat, message);
    this.#tell();
  }

  end(chat: string): void {
    this.#open.delete(chat);
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const noEdits = new Edits();

export function useIsEdited(edits: Edits = noEdits, chat: string | null, message: string | null): boolean {
  return useSyncExternalStore(edits.subscribe, () => chat !== null && message !== null && edits.of(chat) === message);
}
