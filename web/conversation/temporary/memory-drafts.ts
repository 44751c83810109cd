import { newRequestKey } from "../../api/request-key.ts";
import type { DraftBox, Settlement, Ticket } from "../drafts.ts";

/** The words in the box of the temporary chat. They are in no storage, whatever happens to the page. */
export class MemoryDrafts implements DraftBox {
  readonly #listeners = new Set<() => void>();
  #text = "";

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(): string {
    return this.#text;
  }

  set(_chat: string | null, text: string): void {
    this.#text = text;
    for (const listener of [...this.#listeners]) listener();
  }

  take(chat: string | null, model: string): Ticket {
    const ticket = { place: chat ?? "", text: this.#text, model, key: newRequestKey() };
    this.set(chat, "");
    return ticket;
  }

  settle(ticket: Ticket, { isTaken }: Settlement): void {
    if (!isTaken) this.set(null, [ticket.text, this.#text].filter((text) => text.trim() !== "").join("\n\n"));
  }

  hasAny(): boolean {
    return this.#text.trim() !== "";
  }

  close(): void {}

  clear(): void {
    this.set(null, "");
  }
}
