/** Paths of the administration, apart from those in `paths.ts`, which every page loads. Relative to `API_BASE`. */

export const administrationPaths = {
  overview: "/admin/overview",
  accounts: "/admin/accounts",
  accountsCsv: "/admin/accounts/csv",
  accountActions: "/admin/accounts/actions",
  account: (id: string) => `/admin/accounts/${id}`,
  groups: "/admin/groups",
  group: (id: string) => `/admin/groups/${id}`,
  audit: "/admin/audit",
  auditCsv: "/admin/audit/csv",
  invitations: "/admin/invitations",
  bulkInvitations: "/admin/invitations/bulk",
  invitation: (id: string) => `/admin/invitations/${id}`,
  ownershipOffer: (id: string) => `/admin/accounts/${id}/ownership-offer`,
  providerCheck: (name: string) => `/admin/providers/${name}/test`,
  settings: "/admin/settings",
  testMail: "/admin/test-mail",
  changedNotice: "/admin/notice",
  /** For every signed-in account. */
  ownAudit: "/auth/audit",
  ownership: "/auth/ownership",
} as const;
