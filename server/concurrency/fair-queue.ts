/** Key of a flow: network and account of the waiting work. Work without a flow shares one. */
export type Flow = { network: string; account: string };

/**
 * Round-robin queue: networks are served in rotation, and within a network its accounts; the work of one account in a
 * network is FIFO. So a backlog of one network or account delays the others by one piece of work each at most. The next
 * flow is the one that was served longest ago.
 */
export class FairQueue<T> {
  /** Waiting items by network and account; the order of the maps is the order of service. */
  readonly #networks = new Map<string, Map<string, T[]>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ network, account }: Flow, item: T): void {
    const accounts = this.#networks.get(network) ?? new Map<string, T[]>();
    const items = accounts.get(account) ?? [];
    items.push(item);
    accounts.set(account, items);
    this.#networks.set(network, accounts);
    this.#size++;
  }

  /** Returns the number of waiting items of a flow. */
  sizeOf({ network, account }: Flow): number {
    return this.#networks.get(network)?.get(account)?.length ?? 0;
  }

  /**
   * Removes and returns the next item, and moves its account and network to the end of the order.
   * @param isEligible skips flows for which it returns false, which keep their position
   */
  next(isEligible: (flow: Flow) => boolean = () => true): T | undefined {
    for (const [network, accounts] of this.#networks) {
      for (const [account, items] of accounts) {
        if (!isEligible({ network, account })) continue;
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

  /** Removes and returns the oldest item of a flow, which keeps its position among the others. */
  dropOldest({ network, account }: Flow): T | undefined {
    const item = this.#networks.get(network)?.get(account)?.shift();
    if (item !== undefined) this.#tidy(network, account);
    return item;
  }

  /** Removes an item. @returns whether it was in the queue */
  remove(item: T): boolean {
    for (const [network, accounts] of this.#networks) {
      for (const [account, items] of accounts) {
        const at = items.indexOf(item);
        if (at === -1) continue;
        items.splice(at, 1);
        this.#tidy(network, account);
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
    this.#tidy(network, account);
    return item;
  }

  /** Updates the size and removes empty maps after an item was removed. */
  #tidy(network: string, account: string): void {
    this.#size--;
    const accounts = this.#networks.get(network);
    if (accounts?.get(account)?.length === 0) accounts.delete(account);
    if (accounts?.size === 0) this.#networks.delete(network);
  }
}

const countOf = (accounts: Map<string, unknown[]>) =>
  [...accounts.values()].reduce((count, { length }) => count + length, 0);

/** Returns the key with the greatest length; `own` in a tie that includes it. */
function longest<V>(map: Map<string, V>, lengthOf: (value: V) => number, own: string): string | undefined {
  const lengths = [...map].map(([key, value]) => ({ key, length: lengthOf(value) }));
  const most = Math.max(...lengths.map(({ length }) => length));
  const keys = lengths.filter(({ length }) => length === most).map(({ key }) => key);
  return keys.includes(own) ? own : keys[0];
}
