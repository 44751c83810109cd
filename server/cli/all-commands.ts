import { backupCommands } from "./backup/commands.ts";
import type { Command } from "./command.ts";
import { configCheck } from "./config-check.ts";
import { userCommands } from "./users.ts";
import { passwordCommands } from "./users-passwords.ts";
import { quota } from "./users-quota.ts";
import { version } from "./version.ts";

/** Everything that can be asked for, in the order in which it is listed. */
export const commands: readonly Command[] = [
  ...userCommands,
  ...passwordCommands,
  quota,
  ...backupCommands,
  configCheck,
  version,
];
