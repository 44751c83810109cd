import type { PersonField } from "#contract/administration/connection-headers.ts";

/**
 * The account for which a model is called. `account`, `group`: opaque ids; empty if there is none. `readPerson` is called
 * only by connections whose owner has switched on that they receive it.
 */
export type Caller = {
  account: string;
  group: string;
  readPerson: () => Promise<Record<PersonField, string>>;
};

/** Caller of lists, tests and probes. */
export const NO_CALLER: Caller = { account: "", group: "", readPerson: async () => ({ email: "", name: "" }) };

/**
 * Models that an account may use. `permitted`: their values; null is all. `first`: value of the model that automatic
 * choice asks first; null is the catalogue's order. `caller`: the account; absent: a call without one.
 */
export type ModelAccess = { permitted: ReadonlySet<string> | null; first: string | null; caller?: Caller };

export const ALL_MODELS: ModelAccess = { permitted: null, first: null };

export function isPermitted({ permitted }: ModelAccess, value: string): boolean {
  return permitted === null || permitted.has(value);
}
