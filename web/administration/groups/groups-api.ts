/** API calls of groups. All throw ApiError; changes must be made through `withProof`. */

import {
  accountGroupListSchema,
  accountGroupSchema,
  type GroupChange,
  groupDeletionSchema,
  type NewGroup,
} from "#contract/groups.ts";
import { paths } from "#contract/paths.ts";
import { api, readApiError } from "../../api/client.ts";

export const groupsApi = {
  create: (group: NewGroup) => api.post(paths.adminGroups, group, accountGroupSchema),
  change: (id: string, change: GroupChange) => api.patch(paths.adminGroup(id), change, accountGroupSchema),
  delete: async (id: string) => {
    const response = await api.open(paths.adminGroup(id), { method: "DELETE" });
    if (!response.ok) throw await readApiError(response);
    return groupDeletionSchema.parse(await response.json());
  },
};

/** Reads the groups that the account may see. */
export const readGroups = (signal: AbortSignal) => api.get(paths.adminGroups, accountGroupListSchema, { signal });
