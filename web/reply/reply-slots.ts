import type { TabChannel, TabTools } from "../api/events/tab-tools.ts";
import type { PageVisibility } from "../api/page-visibility.ts";

/** HTTP/1.1 allows six connections per origin: one for events, three for replies, two for other requests. */
const SLOT_NAMES = ["parley-reply-1", "parley-reply-2", "parley-reply-3"];
/** Time that a hidden tab needs to release its slot. */
const GIVING_WAY_MS = 60;

/** Permission for one connection of a reply. `lost`: aborted when another tab takes it over. */
export type Slot = { readonly lost: AbortSignal; release: () => void };

type Held = Slot & { name: string; giveUp: () => void };

/** Limits the reply connections of all tabs of this browser, with Web Locks. */
export class ReplySlots {
  readonly #tabs: TabTools;
  readonly #page: PageVisibility;
  readonly #channel: TabChannel;
  /** Oldest first. */
  readonly #held = new Set<Held>();

  constructor(tabs: TabTools, page: PageVisibility) {
    this.#tabs = tabs;
    this.#page = page;
    this.#channel = tabs.openChannel("parley-replies");
    this.#channel.listen(() => this.#giveWay());
  }

  /** Takes a free slot; null if there is none. */
  async tryTake(): Promise<Slot | null> {
    for (const name of SLOT_NAMES) {
      const slot = await this.#request(name, { ifAvailable: true });
      if (slot) return slot;
    }
    return null;
  }

  /** Takes a slot in any case: asks hidden tabs to release one, then steals one. */
  async take(): Promise<Slot> {
    const free = await this.tryTake();
    if (free) return free;
    this.#channel.post("wanted");
    await new Promise((resolve) => setTimeout(resolve, GIVING_WAY_MS));
    return (await this.tryTake()) ?? (await this.#takeOver());
  }

  dispose(): void {
    for (const slot of [...this.#held]) slot.release();
    this.#channel.close();
  }

  /** Steals the slot of another tab; if this tab holds all, its own oldest. */
  async #takeOver(): Promise<Slot> {
    const own = [...this.#held].map(({ name }) => name);
    const others = SLOT_NAMES.filter((name) => !own.includes(name));
    const name = others[Math.floor(Math.random() * others.length)] ?? own[0];
    const slot = name === undefined ? null : await this.#request(name, { steal: true });
    // If the browser refuses locks, slots are not limited.
    return slot ?? { lost: new AbortController().signal, release: () => {} };
  }

  #giveWay(): void {
    if (!this.#page.isVisible()) for (const slot of [...this.#held]) slot.giveUp();
  }

  #request(name: string, options: LockOptions): Promise<Slot | null> {
    return new Promise((resolve) => {
      const lost = new AbortController();
      const done = Promise.withResolvers<void>();
      const slot: Held = {
        name,
        lost: lost.signal,
        release: () => {
          this.#held.delete(slot);
          done.resolve();
        },
        giveUp: () => {
          slot.release();
          lost.abort();
        },
      };
      const asking = this.#tabs.locks.request(name, options, (lock) => {
        if (!lock) {
          resolve(null);
          return undefined;
        }
        this.#held.add(slot);
        resolve(slot);
        return done.promise;
      });
      asking.catch(() => {
        resolve(null);
        slot.giveUp();
      });
    });
  }
}
