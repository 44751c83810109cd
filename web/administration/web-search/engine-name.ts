import { searchEngineKinds, searchEngineNames } from "#contract/administration/web-search.ts";

/** Returns the name of an engine; that of a newer server is returned as it is. */
export function engineName(kind: string): string {
  const known = searchEngineKinds.find((each) => each === kind);
  return known === undefined ? kind : searchEngineNames[known];
}
