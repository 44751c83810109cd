import { MINUTE } from "#contract/limits.ts";

/** Key of a flow: network and account of the waiting work. `flowOf` makes it of a client. */
export type Flow = { network: string; account: string };

/** Time in ms for which a flow that has left unserved retains its position: longer than clients wait to try again. */
const POSITION_MS = MINUTE;

/**
 * Round-robin queue: networks are served in rotation, and within a network its accounts; the work of one account in a
 * network is FIFO. So a backlog of one network or account delays the others by one piece of work each at most. The next
 * flow is the one that was served longest ago. A flow whose last item has left unserved retains its position for a
 * minute: a client that repeats a request that has timed out is otherwise last each time.
 */
export class FairQueue<T> {
  /** Waiting items by network and account; the order of the maps is the order of service. */
  readonly #networks = new Map<string, Map<string, T[]>>();
  /** Flows without items that retain their positions, in the order in which these end (`performance.now()`). */
  readonly #left = new Map<string, { flow: Flow; endsAt: number }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ network, account }: Flow, item: T): void {
    this.#left.delete(keyOfFlow({ network, account }));
    const accounts = this.#networks.get(network) ?? new Map<string, T[]>();
    const items = accounts.get(account) ?? [];
    items.push(item);
    accounts.set(account, items);
    this.#networks.set(network, accounts);
    this.#size++;
  }

  /** Returns the number of waiting items of an account, in all networks. */
  sizeOf(account: string): number {
    let size = 0;
    for (const accounts of this.#networks.values()) size += accounts.get(account)?.length ?? 0;
    return size;
  }

  /**
   * Removes and returns the next item, and moves its account and network to the end of the order.
   * @param isEligible skips flows for which it returns false, which keep their position
   */
  next(isEligible: (flow: Flow) => boolean = () => true): T | undefined {
    this.#forgetLeft();
    for (const [network, accounts] of this.#networks) {
      for (const [account, items] of accounts) {
        if (items.length === 0 || !isEligible({ network, account })) continue;
        const item = items.shift();
        accounts.delete(account);
        if (items.length > 0) accounts.set(account, items);
        this.#networks.delete(network);
        if (accounts.size > 0) this.#networks.set(network, accounts);
        this.#size--;
        return item;
      }
    }
    return undefined;
  }

  /** Removes and returns the oldest item of an account in the first network that has one. */
  dropOldest(account: string): T | undefined {
    for (const [network, accounts] of this.#networks) {
      const item = accounts.get(account)?.shift();
      if (item === undefined) continue;
      this.#tidy({ network, account });
      return item;
    }
    return undefined;
  }

  /** Removes an item, whose flow retains its position for a minute. @returns whether it was in the queue */
  remove(item: T): boolean {
    for (const [network, accounts] of this.#networks) {
      for (const [account, items] of accounts) {
        const at = items.indexOf(item);
        if (at === -1) continue;
        items.splice(at, 1);
        this.#size--;
        const flow = { network, account };
        if (items.length === 0) this.#left.set(keyOfFlow(flow), { flow, endsAt: performance.now() + POSITION_MS });
        return true;
      }
    }
    return false;
  }

  /**
   * Removes and returns the newest item of the longest account in the longest network. In a tie the flow's own item is
   * chosen, so that a newcomer evicts nothing of flows that are no longer than its own.
   */
  dropFromLongest(own: Flow): T | undefined {
    const network = longest(this.#networks, countOf, own.network);
    const accounts = network === undefined ? undefined : this.#networks.get(network);
    if (network === undefined || !accounts) return undefined;
    const account = longest(accounts, ({ length }) => length, own.account);
    if (account === undefined) return undefined;
    const item = accounts.get(account)?.pop();
    this.#tidy({ network, account });
    return item;
  }

  #forgetLeft(): void {
    const now = performance.now();
    for (const [key, { flow, endsAt }] of this.#left) {
      if (endsAt > now) break;
      this.#left.delete(key);
      this.#removeEmpty(flow);
    }
  }

  /** Updates the size and removes empty maps after an item was removed. */
  #tidy(flow: Flow): void {
    this.#size--;
    this.#removeEmpty(flow);
  }

  #removeEmpty({ network, account }: Flow): void {
    const accounts = this.#networks.get(network);
    if (accounts?.get(account)?.length === 0) accounts.delete(account);
    if (accounts?.size === 0) this.#networks.delete(network);
  }
}

/** Returns a text that identifies a flow. */
const keyOfFlow = ({ network, account }: Flow) => `${network}\n${account}`;

const countOf = (accounts: Map<string, unknown[]>) =>
  [...accounts.values()].reduce((count, { length }) => count + length, 0);

/** Returns the key with the greatest length; `own` in a tie that includes it. */
function longest<V>(map: Map<string, V>, lengthOf: (value: V) => number, own: string): string | undefined {
  const lengths = [...map].map(([key, value]) => ({ key, length: lengthOf(value) }));
  const most = Math.max(...lengths.map(({ length }) => length));
  const keys = lengths.filter(({ length }) => length === most).map(({ key }) => key);
  return keys.includes(own) ? own : keys[0];
}
