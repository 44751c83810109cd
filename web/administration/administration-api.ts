/** API calls of the administration. All throw ApiError; calls that need a proof must be made through `withProof`. */

import { createdOwnershipOfferSchema, type NewOwnershipOffer } from "#contract/accounts/ownership.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import {
  type AccountAction,
  type AccountSort,
  type AccountState,
  accountActionResultsSchema,
  accountListSchema,
  administeredAccountSchema,
  auditListSchema,
  type ChangeAdministered,
  type SignInWay,
  type SortDirection,
} from "#contract/administration/administration.ts";
import type { AuditKind } from "#contract/administration/audit.ts";
import { installationSettingsSchema } from "#contract/administration/installation.ts";
import { overviewSchema } from "#contract/administration/overview.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { providerCheckSchema } from "#contract/administration/provider-check.ts";
import { api, readApiError } from "../api/client.ts";
import { fileNameOf } from "../transfer/file-name-of.ts";
import { saveFile } from "../ui/save-file.ts";

export type AccountFilter = {
  q: string;
  role: AccountRole | null;
  state: AccountState | null;
  way: SignInWay | null;
  /** Id of a group. */
  group: string | null;
  sort: AccountSort;
  direction: SortDirection;
};
/** `account`: id of one account, as actor or subject. */
export type AuditFilter = { q: string; kind: AuditKind | null; account: string | null };

/** Returns the query of a filter, without its empty values. */
function queryOf(values: Record<string, string | null | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** Saves a table as a file. */
async function saveCsv(path: string, name: string): Promise<void> {
  const response = await api.open(path);
  if (!response.ok) throw await readApiError(response);
  saveFile(await response.blob(), fileNameOf(response, name));
}

export const administrationApi = {
  readOverview: (signal: AbortSignal) => api.get(administrationPaths.overview, overviewSchema, { signal }),

  /** Switches the question for newer versions on, or back to its default. */
  switchReleaseCheck: (isOn: boolean) =>
    api.patch(administrationPaths.settings, { releaseCheck: isOn ? "on" : null }, installationSettingsSchema),

  /** `signal` aborts the call to the provider, too. */
  checkProvider: (name: string, signal: AbortSignal | undefined) =>
    api.post(administrationPaths.providerCheck(name), {}, providerCheckSchema, signal ? { signal } : {}),

  readAccounts: (filter: AccountFilter, after: string | undefined, signal: AbortSignal) =>
    api.get(`${administrationPaths.accounts}${queryOf({ ...filter, after })}`, accountListSchema, { signal }),
  readAccount: (id: string, signal: AbortSignal) =>
    api.get(administrationPaths.account(id), administeredAccountSchema, { signal }),
  changeAccount: (id: string, change: ChangeAdministered) =>
    api.patch(administrationPaths.account(id), change, administeredAccountSchema),
  offerOwnership: (id: string, offer: NewOwnershipOffer) =>
    api.post(administrationPaths.ownershipOffer(id), offer, createdOwnershipOfferSchema),
  withdrawOwnership: (id: string) => api.delete(administrationPaths.ownershipOffer(id)),
  act: (ids: readonly string[], action: AccountAction, groupId?: string | null) =>
    api.post(administrationPaths.accountActions, { ids, action, groupId }, accountActionResultsSchema),
  saveAccounts: (filter: AccountFilter) =>
    saveCsv(`${administrationPaths.accountsCsv}${queryOf(filter)}`, "people.csv"),

  readAudit: (filter: AuditFilter, before: string | undefined, signal: AbortSignal) =>
    api.get(`${administrationPaths.audit}${queryOf({ ...filter, before })}`, auditListSchema, { signal }),
  saveAudit: (filter: AuditFilter) => saveCsv(`${administrationPaths.auditCsv}${queryOf(filter)}`, "records.csv"),
};
