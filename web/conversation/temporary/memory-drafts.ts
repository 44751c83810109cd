import { newRequestKey } from "../../api/request-key.ts";
import { Store } from "../../store/store.ts";
import type { DraftBox, Settlement, Ticket } from "../drafts.ts";

/** The words in the box of the temporary chat. They are in no storage, whatever happens to the page. */
export class MemoryDrafts implements DraftBox {
  readonly #text = new Store("");

  subscribe = this.#text.subscribe;

  get = this.#text.get;

  set(_chat: string | null, text: string): void {
    this.#text.set(text);
  }

  take(chat: string | null, model: string): Ticket {
    const ticket = { place: chat ?? "", text: this.get(), model, key: newRequestKey() };
    this.set(chat, "");
    return ticket;
  }

  settle(ticket: Ticket, { isTaken }: Settlement): void {
    if (!isTaken) this.set(null, [ticket.text, this.get()].filter((text) => text.trim() !== "").join("\n\n"));
  }

  hasAny(): boolean {
    return this.get().trim() !== "";
  }

  close(): void {}

  clear(): void {
    this.set(null, "");
  }
}
