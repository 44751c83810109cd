import type { Budgets } from "../budgets/budgets.ts";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database } from "../database/schema.ts";
import type { Files } from "../files/files.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { QuotaSettings } from "../limits/quota.ts";
import type { Log } from "../log.ts";
import type { Models } from "../models/open-models.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { CallLimit } from "./admission/call-limit.ts";
import type { Ownership } from "./reply/ownership.ts";
import type { Replies } from "./reply/replies.ts";
import type { TemporaryReplies } from "./temporary/temporary-replies.ts";
import type { Titles } from "./titles.ts";

/** Dependencies of the rules of a conversation. */
export type ConversationDeps = {
  database: Database;
  budgets: Budgets;
  bus: Bus;
  clock: Clock;
  log: Log;
  toolbox: Toolbox;
  callLimit: CallLimit;
  files: Files;
  models: Models;
  ownership: Ownership;
  replies: Replies;
  temporaryReplies: Pick<TemporaryReplies, "countOf">;
  titles: Titles;
  installation: Pick<InstallationSettings, "current">;
  settings: QuotaSettings & { maxMessageChars: number; maxFilesPerMessage: number };
};
