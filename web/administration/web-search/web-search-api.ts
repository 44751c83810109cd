/** API calls of the search engine. All throw ApiError; calls other than reads must be made through `withProof`. */

import { administrationPaths } from "#contract/administration/paths.ts";
import { type NewSearchEngine, searchCheckSchema, webSearchSchema } from "#contract/administration/web-search.ts";
import { api } from "../../api/client.ts";

export const webSearchApi = {
  read: (signal: AbortSignal) => api.get(administrationPaths.webSearch, webSearchSchema, { signal }),
  set: (engine: NewSearchEngine) => api.put(administrationPaths.webSearch, engine, webSearchSchema),
  remove: () => api.delete(administrationPaths.webSearch),
  /** `engine`: values that are not saved; null: the engine in effect. */
  check: (engine: NewSearchEngine | null, signal: AbortSignal | undefined) =>
    api.post(administrationPaths.webSearchCheck, engine ? { engine } : {}, searchCheckSchema, signal ? { signal } : {}),
};
