/**
 * Models that an account may use. `permitted`: their values; null is all. `first`: value of the model that automatic
 * choice asks first; null is the catalogue's order.
 */
export type ModelAccess = { permitted: ReadonlySet<string> | null; first: string | null };

export const ALL_MODELS: ModelAccess = { permitted: null, first: null };

export function isPermitted({ permitted }: ModelAccess, value: string): boolean {
  return permitted === null || permitted.has(value);
}
