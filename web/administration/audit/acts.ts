import type { AuditEntry, NamedInvitation } from "#contract/administration/administration.ts";
import type { NamedGroup } from "#contract/administration/groups.ts";
import { MINUTE } from "#contract/limits.ts";

/** A record with what its page names. `page`: of the list, so that an act never spans two pages. */
export type NamedEntry = AuditEntry & {
  groups: readonly NamedGroup[];
  invitations: readonly NamedInvitation[];
  page: string | undefined;
};

/** Longest time between two records of one act. */
const ACT_MS = MINUTE;

/**
 * Joins the successive records of one act: each account that it changes has a record of its own. Records are of one act
 * if they have the same kind, actor and values, and are about different accounts.
 */
export function actsOf(entries: readonly NamedEntry[]): NamedEntry[][] {
  const acts: NamedEntry[][] = [];
  for (const entry of entries) {
    const act = acts.at(-1);
    if (act && isOfAct(entry, act)) act.push(entry);
    else acts.push([entry]);
  }
  return acts;
}

function isOfAct(entry: NamedEntry, act: readonly NamedEntry[]): boolean {
  const last = act.at(-1);
  if (!last || !isAboutAccount(entry) || keyOf(entry) !== keyOf(last) || last.at - entry.at > ACT_MS) return false;
  return act.every(({ subject }) => subject?.id !== entry.subject?.id);
}

const keyOf = ({ kind, actor, before, after, page }: NamedEntry) => JSON.stringify([kind, actor, before, after, page]);

/** Whether the subject of a record is an invitation. */
export const isAboutInvitation = ({ kind }: Pick<AuditEntry, "kind">): boolean =>
  kind === "invitation-created" || kind === "invitation-revoked";

/** Whether the subject of a record is a group. */
export const isAboutGroup = ({ kind }: Pick<AuditEntry, "kind">): boolean =>
  kind.startsWith("group-") && kind !== "group-assigned";

const isAboutAccount = (entry: AuditEntry) =>
  entry.subject !== null && !isAboutInvitation(entry) && !isAboutGroup(entry);
