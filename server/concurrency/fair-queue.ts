/** Key of a flow: the network and the account that waiting work is for. Work without one shares one flow. */
export type Flow = { network: string; account: string };

/**
 * Round-robin queue: networks are served in rotation, and within a network its accounts; the work of one account in a
 * network is FIFO. So a backlog of one network or account delays the others by one piece of work each at most. The next
 * flow is the one that was served longest ago.
 */
export class FairQueue<T> {
  /** Networks, their accounts, and what waits for each; the order of the maps is the order of service. */
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

  /** How many items of a flow wait. */
  sizeOf({ network, account }: Flow): number {
    return this.#networks.get(network)?.get(account)?.length ?? 0;
  }

  /**
   * Takes out the next item; its account and network go behind the others.
   * @param isEligible passes over the flows for which it returns false, which keep their position
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

  /** Takes out the oldest item of a flow, which keeps its position among the others. */
  dropOldest({ network, account }: Flow): T | undefined {
    const item = this.#networks.get(network)?.get(account)?.shift();
    if (item !== undefined) this.#tidy(network, account);
    return item;
  }

  /** Takes an item out. @returns whether it was there */
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
   * Takes out the newest item of the account with the most, in the network with the most. Where several have as many, it
   * is the flow's own, so that a newcomer removes nothing of what has no more than it.
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

  /** After an item was taken out. */
  #tidy(network: string, account: string): void {
    this.#size--;
    const accounts = this.#networks.get(network);
    if (accounts?.get(account)?.length === 0) accounts.delete(account);
    if (accounts?.size === 0) this.#networks.delete(network);
  }
}

const countOf = (accounts: Map<string, unknown[]>) =>
  [...accounts.values()].reduce((count, { length }) => count + length, 0);

/** The key with the greatest length, `own` where it is among several of them. */
function longest<V>(map: Map<string, V>, lengthOf: (value: V) => number, own: string): string | undefined {
  const lengths = [...map].map(([key, value]) => ({ key, length: lengthOf(value) }));
  const most = Math.max(...lengths.map(({ length }) => length));
  const keys = lengths.filter(({ length }) => length === most).map(({ key }) => key);
  return keys.includes(own) ? own : keys[0];
}
