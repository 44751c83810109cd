import type { Adapter, AdapterPayload } from "oidc-provider";

/** Artifacts of one provider by model and id. */
export type ProviderStore = Map<string, AdapterPayload>;

/** Stores the artifacts of one model in memory, until the provider ends. Its own adapter warns on the console. */
export class ProviderAdapter implements Adapter {
  readonly #model: string;
  readonly #store: ProviderStore;

  constructor(model: string, store: ProviderStore) {
    this.#model = model;
    this.#store = store;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#store.set(this.#keyOf(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#store.get(this.#keyOf(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findBy((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findBy((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#store.get(this.#keyOf(id));
    if (payload) this.#store.set(this.#keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
  }

  async destroy(id: string): Promise<void> {
    this.#store.delete(this.#keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.#store) if (payload.grantId === grantId) this.#store.delete(key);
  }

  #keyOf(id: string): string {
    return `${this.#model}:${id}`;
  }

  #findBy(isWanted: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, payload] of this.#store) {
      if (key.startsWith(`${this.#model}:`) && isWanted(payload)) return payload;
    }
    return undefined;
  }
}
