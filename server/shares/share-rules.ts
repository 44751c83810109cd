import { DAY } from "#contract/limits.ts";
import { type ShareAudience, type ShareRules, shareAudiences } from "#contract/shares/shares.ts";
import type { SharingValues } from "../installation/effective-values.ts";
import type { OpenableShare } from "./share-store.ts";

/** An account as rules judge it. `group`: name of its group. */
export type SharingMember = { group: string | undefined; mayShare: boolean };

/** Returns what an account may do. */
export function shareRulesOf({ shareLinks, shareDaysMax }: SharingValues, account: SharingMember): ShareRules {
  const isOff = shareLinks === "off" || !account.mayShare;
  const isChoice = (audience: ShareAudience) =>
    !isOff &&
    (audience !== "anyone" || shareLinks === "anyone") &&
    (audience !== "group" || account.group !== undefined);
  return {
    audiences: shareAudiences.filter(isChoice),
    ...(account.group !== undefined && { group: account.group }),
    daysMax: shareDaysMax === 0 ? null : shareDaysMax,
  };
}

/** Account of a reader of a link; null without a session. */
export type ShareReader = { userId: string; groupId: string | null } | null;

/** Returns when a link ends, in Unix ms; null: never. An owner of the installation may have shortened its life. */
export function endOf(share: OpenableShare, { shareDaysMax }: SharingValues): number | null {
  const longest = shareDaysMax === 0 ? null : (share.published_at ?? 0) + shareDaysMax * DAY;
  if (share.expires_at === null || longest === null) return share.expires_at ?? longest;
  return Math.min(share.expires_at, longest);
}

/** Whether a link had ended when it was read. */
export function hasExpired(share: OpenableShare, sharing: SharingValues): boolean {
  const end = endOf(share, sharing);
  return end !== null && end <= share.now;
}

/** Whether readers cannot open the link: links are off, or it is for a group that its owner is not in. */
export function isPaused(share: OpenableShare, { shareLinks }: SharingValues): boolean {
  return shareLinks === "off" || share.may_share === 0 || (share.audience === "group" && !isOfOwnGroup(share));
}

/** Whether a link is for the group of its owner, who may have moved to another one. */
const isOfOwnGroup = ({ group_id, owner_group }: OpenableShare): boolean =>
  group_id !== null && group_id === owner_group;

/** Returns who can open the link, which an owner of the installation may have restricted. */
export function audienceOf({ audience }: OpenableShare, { shareLinks }: SharingValues): ShareAudience {
  return audience === "anyone" && shareLinks === "signed-in" ? "signed-in" : (audience ?? "group");
}

/** Whether a reader can open a link at the time when it was read. */
export function isOpenTo(
  share: OpenableShare,
  { reader, sharing }: { reader: ShareReader; sharing: SharingValues },
): boolean {
  if (share.published_at === null || sharing.shareLinks === "off" || share.may_share === 0) return false;
  if (hasExpired(share, sharing)) return false;
  const audience = audienceOf(share, sharing);
  if (audience === "anyone") return true;
  if (reader === null) return false;
  if (audience === "signed-in" || reader.userId === share.user_id) return true;
  return isOfOwnGroup(share) && reader.groupId === share.group_id;
}
