/** API calls of identity providers. All throw ApiError; calls other than reads must be made through `withProof`. */

import {
  administeredProviderSchema,
  administeredProvidersSchema,
  type IdentityProviderChange,
  type IdentityProviderCheckRequest,
  identityProviderCheckSchema,
  type NewIdentityProvider,
} from "#contract/administration/identity-providers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { api } from "../../api/client.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";

export const identityProvidersApi = {
  read: (signal: AbortSignal) =>
    api.get(administrationPaths.identityProviders, administeredProvidersSchema, { signal }),
  add: (provider: NewIdentityProvider) =>
    api.post(administrationPaths.identityProviders, provider, administeredProviderSchema),
  change: (slug: string, change: ChangedFields<IdentityProviderChange>) =>
    api.patch(administrationPaths.identityProvider(slug), change, administeredProviderSchema),
  remove: (slug: string) => api.delete(administrationPaths.identityProvider(slug)),
  order: (slugs: readonly string[]) => api.put(administrationPaths.identityProviderOrder, { slugs }, null),
  check: (request: IdentityProviderCheckRequest, signal: AbortSignal | undefined) =>
    api.post(administrationPaths.identityProviderCheck, request, identityProviderCheckSchema, signal ? { signal } : {}),
};
