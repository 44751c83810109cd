/** API calls of groups. All throw ApiError; changes must be made through `withProof`. */

import {
  accountGroupListSchema,
  accountGroupSchema,
  type GroupChange,
  groupDeletionSchema,
  type NewGroup,
} from "#contract/administration/groups.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { api, readApiError } from "../../api/client.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";

export const groupsApi = {
  create: (group: NewGroup) => api.post(administrationPaths.groups, group, accountGroupSchema),
  change: (id: string, change: ChangedFields<GroupChange>) =>
    api.patch(administrationPaths.group(id), change, accountGroupSchema),
  delete: async (id: string) => {
    const response = await api.open(administrationPaths.group(id), { method: "DELETE" });
    if (!response.ok) throw await readApiError(response);
    return groupDeletionSchema.parse(await response.json());
  },
};

/** Reads the groups that the account may see. */
export const readGroups = (signal: AbortSignal) =>
  api.get(administrationPaths.groups, accountGroupListSchema, { signal });
