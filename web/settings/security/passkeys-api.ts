/** API calls of the account's passkeys. All throw ApiError; changes but the name must be made through `withProof`. */

import {
  type BeginPasskey,
  type PasskeyAttestation,
  passkeyCreationSchema,
  passkeyListSchema,
  passkeySchema,
} from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import { accountQuery } from "../../queries/query.ts";

export const passkeysApi = {
  begin: (request: BeginPasskey) => api.post(accountPaths.passkeyCreation, request, passkeyCreationSchema),
  add: (passkey: PasskeyAttestation) => api.post(accountPaths.passkeys, { passkey }, passkeySchema),
  rename: (id: string, name: string) => api.patch(accountPaths.passkey(id), { name }, null),
  remove: (id: string) => api.delete(accountPaths.passkey(id)),
};

export const passkeysQuery = accountQuery((signal) => api.get(accountPaths.passkeys, passkeyListSchema, { signal }));
