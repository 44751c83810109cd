import { newRequestKey } from "../../api/request-key.ts";
import { Store } from "../../store/store.ts";
import { Draft } from "../draft.ts";
import { isQueued } from "../queue/queued-draft-keys.ts";
import type { DraftBox, Settlement, Ticket } from "../stored-drafts.ts";

const BOX = "";
/** The box is that of any chat: another temporary chat begins with the text in it. */
const nameOf = (draftKey: string | null) => (draftKey !== null && isQueued(draftKey) ? draftKey : BOX);

/** Draft and queued messages of the temporary chat, in memory only, never in a storage. */
export class MemoryDrafts implements DraftBox {
  readonly #drafts = new Store<ReadonlyMap<string, Draft>>(new Map());
  /** Messages that are being sent. */
  readonly #leaving = new WeakSet<Ticket>();

  subscribe = this.#drafts.subscribe;

  get = (draftKey: string | null): Draft => this.#drafts.get().get(nameOf(draftKey)) ?? Draft.empty;

  set(draftKey: string | null, draft: Draft): void {
    this.#drafts.set(new Map(this.#drafts.get()).set(nameOf(draftKey), draft));
  }

  take(draftKey: string | null, model: string): Ticket {
    const ticket = { draftKey: draftKey ?? BOX, draft: this.get(draftKey), model, key: newRequestKey() };
    this.#leaving.add(ticket);
    this.set(draftKey, Draft.empty);
    return ticket;
  }

  settle(ticket: Ticket, { isTaken }: Settlement, backTo: string | null): boolean {
    if (!this.#leaving.delete(ticket)) return false;
    if (!isTaken) this.set(backTo, ticket.draft.join(this.get(backTo)));
    return true;
  }

  /** Whether a file belongs to a draft. One that is being sent belongs to its message. */
  holdsFile(id: string): boolean {
    return [...this.#drafts.get().values()].some(({ files }) => files.some((file) => file.id === id));
  }

  hasAny(): boolean {
    return [...this.#drafts.get().values()].some(({ isEmpty }) => !isEmpty);
  }

  /** Returns the queued messages, followed by the text in the box. */
  all(): Draft {
    const queued = [...this.#drafts.get()].filter(([draftKey]) => draftKey !== BOX).map(([, draft]) => draft);
    return [...queued, this.get(null)].reduce((above, below) => above.join(below), Draft.empty);
  }

  close(): void {}

  clear(): void {
    this.#drafts.set(new Map());
  }
}
