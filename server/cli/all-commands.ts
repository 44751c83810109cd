import { auditVerify } from "./audit-verify.ts";
import { backupCommands } from "./backup/commands.ts";
import type { Command } from "./command.ts";
import { configCheck } from "./config-check.ts";
import { connectionCommands } from "./connection-commands.ts";
import { doctor } from "./doctor/doctor.ts";
import { filesMove } from "./files-move.ts";
import { filesVerify } from "./files-verify.ts";
import { groupCommands } from "./group-commands.ts";
import { importCommand } from "./import/import-command.ts";
import { signInLink } from "./users/sign-in-link.ts";
import { userCommands } from "./users/users.ts";
import { budget } from "./users/users-budget.ts";
import { passwordCommands } from "./users/users-passwords.ts";
import { quota } from "./users/users-quota.ts";
import { role } from "./users/users-role.ts";
import { version } from "./version.ts";

/** All commands, in the order of the help text. */
export const commands: readonly Command[] = [
  ...userCommands,
  ...passwordCommands,
  signInLink,
  quota,
  budget,
  role,
  ...groupCommands,
  ...connectionCommands,
  ...backupCommands,
  importCommand,
  filesVerify,
  filesMove,
  auditVerify,
  configCheck,
  doctor,
  version,
];
