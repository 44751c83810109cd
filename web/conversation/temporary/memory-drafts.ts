import { newRequestKey } from "../../api/request-key.ts";
import { Store } from "../../store/store.ts";
import { Draft } from "../draft.ts";
import type { DraftBox, Settlement, Ticket } from "../stored-drafts.ts";

/** Draft of the temporary chat, in memory only, never in a storage. */
export class MemoryDrafts implements DraftBox {
  readonly #draft = new Store(Draft.empty);

  subscribe = this.#draft.subscribe;

  get = this.#draft.get;

  set(_chat: string | null, draft: Draft): void {
    this.#draft.set(draft);
  }

  take(chat: string | null, model: string): Ticket {
    const ticket = { place: chat ?? "", draft: this.get(), model, key: newRequestKey() };
    this.set(chat, Draft.empty);
    return ticket;
  }

  settle(ticket: Ticket, { isTaken }: Settlement): void {
    if (!isTaken) this.set(null, ticket.draft.join(this.get()));
  }

  hasAny(): boolean {
    return !this.get().isEmpty;
  }

  close(): void {}

  clear(): void {
    this.set(null, Draft.empty);
  }
}
