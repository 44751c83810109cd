/** API calls of invitations. All throw ApiError; `create`, `createSeveral` and `revoke` must be made through `withProof`. */

import { type BulkInvitations, bulkResultsSchema } from "#contract/administration/bulk-invitations.ts";
import {
  createdInvitationSchema,
  INVITATIONS_PAGE,
  type Invitation,
  type InvitationList,
  invitationListSchema,
  type NewInvitation,
} from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { api } from "../api/client.ts";
import type { ListPage } from "../queries/use-pages.ts";

export const invitationsApi = {
  create: (invitation: NewInvitation) => api.post(administrationPaths.invitations, invitation, createdInvitationSchema),
  createSeveral: (request: BulkInvitations) =>
    api.post(administrationPaths.bulkInvitations, request, bulkResultsSchema),
  revoke: (id: string) => api.delete(administrationPaths.invitation(id)),
};

/** Reads a page of invitations, newest first. `before`: id of the last one of the page before. */
export async function readInvitations(
  before: string | undefined,
  signal: AbortSignal,
): Promise<ListPage<Invitation, Pick<InvitationList, "hasTrustedNetworks">>> {
  const query = before === undefined ? "" : `?${new URLSearchParams({ before })}`;
  const { invitations, hasTrustedNetworks } = await api.get(
    `${administrationPaths.invitations}${query}`,
    invitationListSchema,
    { signal },
  );
  const next = invitations.length < INVITATIONS_PAGE ? undefined : invitations.at(-1)?.id;
  return { items: invitations, next, extra: { hasTrustedNetworks } };
}
