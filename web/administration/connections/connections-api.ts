/** API calls of connections. All throw ApiError; calls other than reads must be made through `withProof`. */

import {
  type ConnectionChange,
  connectionListSchema,
  connectionModelsSchema,
  connectionSchema,
  connectionUsesSchema,
  type ModelChanges,
  type NewConnection,
} from "#contract/administration/connections.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { api } from "../../api/client.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";

export const connectionsApi = {
  read: (signal: AbortSignal) => api.get(administrationPaths.connections, connectionListSchema, { signal }),
  create: (connection: NewConnection) => api.post(administrationPaths.connections, connection, connectionSchema),
  change: (slug: string, change: ChangedFields<ConnectionChange>) =>
    api.patch(administrationPaths.connection(slug), change, connectionSchema),
  delete: (slug: string) => api.delete(administrationPaths.connection(slug)),
  order: (slugs: readonly string[]) => api.put(administrationPaths.connectionOrder, { slugs }, null),
  refresh: (slug: string) => api.post(administrationPaths.connectionList(slug), undefined, connectionSchema),
  readUses: (slug: string) => api.get(administrationPaths.connectionUses(slug), connectionUsesSchema),
  readModels: (slug: string, signal: AbortSignal) =>
    api.get(administrationPaths.connectionModels(slug), connectionModelsSchema, { signal }),
  changeModels: (slug: string, changes: ModelChanges["changes"]) =>
    api.patch(administrationPaths.connectionModels(slug), { changes }, connectionModelsSchema),
  orderAutomatic: (values: readonly string[] | null) => api.put(administrationPaths.automaticModels, { values }, null),
};
