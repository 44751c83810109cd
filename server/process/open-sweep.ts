import { DAY, MINUTE, UNDO_LIFE_MS } from "#contract/limits.ts";
import { removeLapsedFromAccounts } from "../accounts/accounts.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Bus } from "../bus/bus.ts";
import { removeDeleted } from "../chats/delete-chats.ts";
import { forgetDeletionsBefore } from "../chats/deleted-chat-store.ts";
import { removeSendsBefore } from "../chats/send-store.ts";
import { deleteUntouchedChats } from "../chats/untouched-chats.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Config } from "../config/config.ts";
import { removeDailyRepliesBefore } from "../conversation/admission/daily-replies-store.ts";
import { removeEmptyRepliesBefore } from "../conversation/reply/reply-store.ts";
import { endLongWaiting } from "../conversation/reply/steps/waiting-replies.ts";
import type { Database } from "../database/schema.ts";
import { removeSnapshotsBefore, SNAPSHOT_LIFE_MS } from "../database/snapshots.ts";
import type { Log } from "../log.ts";
import { MAIL_FILE_LIFE_MS, MailFiles } from "../mail/mail-files.ts";
import type { Outbox } from "../mail/outbox.ts";
import { SUMMED_DAYS } from "../mcp/administration/describe-servers.ts";
import { removeCallsBefore, removeLeftoversBefore } from "../mcp/mcp-server-store.ts";
import { removeAttemptsBefore } from "../mcp/oauth/oauth-store.ts";
import { removePresetsDeletedBefore } from "../presets/preset-store.ts";
import { Sweep } from "./sweep.ts";

/** Lifetime of idempotency keys: a later retry sends again. */
const SEND_LIFE_MS = 2 * DAY;

/** Maximum offline time of a device after which it still receives deletions of chats. */
const DELETION_LIFE_MS = 2 * DAY;

type ExpiringData = {
  config: Pick<Config, "dataDir" | "sessionLives">;
  database: Database;
  bus: Bus;
  budgets: Budgets;
  outbox: Outbox;
  clock: Clock;
  log: Log;
};

/** Starts the removal of data that has expired. */
export function openSweep({ config, database, bus, budgets, outbox, clock, log }: ExpiringData): Sweep {
  return new Sweep({
    clock,
    log,
    jobs: {
      accounts: (now) => removeLapsedFromAccounts({ database, config }, now),
      mails: () => outbox.removeSettled(),
      mailFiles: (now) => new MailFiles(config.dataDir).removeBefore(now - MAIL_FILE_LIFE_MS),
      sends: (now) => removeSendsBefore(database, now - SEND_LIFE_MS),
      untouchedChats: (now, signal) => deleteUntouchedChats({ database, bus }, now, signal),
      deleted: (now, signal) => removeDeleted({ database, log }, now, signal),
      deletedChats: (now) => forgetDeletionsBefore(database, now - DELETION_LIFE_MS),
      presets: (now) => removePresetsDeletedBefore(database, now - UNDO_LIFE_MS - MINUTE),
      snapshots: (now) => removeSnapshotsBefore(config.dataDir, now - SNAPSHOT_LIFE_MS),
      budgets: (now) => budgets.sweep(now),
      dailyReplies: (now) => removeDailyRepliesBefore(database, now),
      replies: (now) => removeEmptyRepliesBefore(database, now - SEND_LIFE_MS),
      toolCalls: (now) => removeCallsBefore(database, Math.floor(now / DAY) - SUMMED_DAYS),
      toolLeftovers: (now) => removeLeftoversBefore(database, now - DAY),
      toolSignIns: (now) => removeAttemptsBefore(database, now),
      waitingReplies: (now, signal) => endLongWaiting({ database, bus }, now, signal),
    },
  });
}
