/** Records of administration. Times are Unix times in ms. */

/** All kinds of records. */
export const auditKinds = [
  "account-created",
  "account-verified",
  "account-disabled",
  "account-enabled",
  "account-deletion-asked",
  "password-set",
  "password-reset-sent",
  "sessions-ended",
  "quota-changed",
  "budget-changed",
  "role-changed",
  "group-created",
  "group-changed",
  "group-deleted",
  "group-assigned",
  "invitation-created",
  "invitation-revoked",
  "invitation-used",
  "ownership-offered",
  "ownership-offer-withdrawn",
  "provider-tested",
  "connection-created",
  "connection-changed",
  "connection-deleted",
  "models-changed",
  "setting-changed",
  "notice-changed",
] as const;
export type AuditKind = (typeof auditKinds)[number];
