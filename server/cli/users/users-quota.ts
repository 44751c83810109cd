import { MEGABYTE, QUOTA_MAX_MB } from "#contract/limits.ts";
import { setRights } from "../../accounts/administration/account-rights.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { findGroup } from "../../accounts/membership/group-store.ts";
import type { UserRow } from "../../database/schema.ts";
import { quotaOf } from "../../limits/quota.ts";
import { type Call, type Command, Refusal } from "../command.ts";
import { withAccount } from "./users-named.ts";

/** Command that shows or sets the storage quota of an account. */
export const quota: Command = {
  name: "users quota",
  usage: "USER [--mb NUMBER | --default]",
  summary: "Shows the used and allowed storage of an account, or sets its quota.",
  details: [
    "USER is a username, an address or an id.",
    "--mb NUMBER  sets a quota of its own in megabytes (1,000,000 bytes), instead of MAX_ACCOUNT_MB",
    "--default    sets the quota of its group, or of MAX_ACCOUNT_MB, again",
  ],
  options: { mb: { type: "string" }, default: { type: "boolean" } },
  operands: { min: 1, max: 1 },
  run: (call) => {
    const wanted = wantedQuota(call);
    return withAccount(call, async (deps, user) => {
      const group = user.group_id === null ? undefined : await findGroup(deps.database, user.group_id);
      const groupMb = group?.quota_mb ?? null;
      if (wanted === undefined) return shown(call, user, { groupMb, isChanged: false });
      call.print(`Sets the storage quota of ${user.username} to ${wanted === null ? "the default" : `${wanted} MB`}.`);
      const isChanged = await setRights(deps, user.id, { quotaMb: wanted, by: commandLine });
      return shown(call, { ...user, quota_mb: wanted }, { groupMb, isChanged });
    });
  },
};

/** Returns the requested quota in megabytes; `null`: the server's default; `undefined`: no change. */
function wantedQuota(call: Call): number | null | undefined {
  const text = call.text("mb");
  if (call.has("default")) {
    if (text !== undefined) throw new Refusal("Give --mb or --default, not both.", "usage");
    return null;
  }
  if (text === undefined) return undefined;
  const mb = Number(text);
  if (!/^\d+$/.test(text) || mb < 1 || mb > QUOTA_MAX_MB) {
    throw new Refusal(`--mb must be a whole number from 1 to ${QUOTA_MAX_MB}.`, "usage");
  }
  return mb;
}

/** `groupMb`: quota of the account's group. */
function shown(call: Call, user: UserRow, { groupMb, isChanged }: { groupMb: number | null; isChanged: boolean }) {
  const counted = { quota_mb: user.quota_mb ?? groupMb };
  const quotaMb = Math.floor(quotaOf(counted, call.configuration().config) / MEGABYTE);
  const stored = (user.stored_bytes / MEGABYTE).toFixed(1);
  const inherited = groupMb === null ? "the default" : "its group's";
  const origin = user.quota_mb === null ? inherited : "its own";
  return {
    data: {
      id: user.id,
      username: user.username,
      storedBytes: user.stored_bytes,
      quotaMb,
      isDefault: user.quota_mb === null,
      changed: isChanged,
    },
    lines: [`${user.username} stores ${stored} MB of ${quotaMb} MB (${origin}).`],
  };
}
