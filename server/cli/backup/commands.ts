import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { sumRows } from "./digest.ts";
import { recognise } from "./load.ts";
import { moveCommand } from "./move/move-command.ts";
import { ACCEPTS_NEW_SECRET } from "./refuse-unreadable.ts";
import { restore } from "./restore/restore.ts";
import { verify } from "./verify.ts";
import { writeBackup } from "./write-backup.ts";

/** A restore removes the rows of attached files without bytes. */
const missingLine = (missing: readonly string[]) =>
  missing.length === 0 ? [] : [`${missing.length} attached files have no bytes: they were deleted meanwhile, or lost.`];

const backup: Command = {
  name: "backup",
  usage: "FILE [--without-secret]",
  summary: "Writes a consistent snapshot of everything into one new file; servers may run meanwhile.",
  details: [
    "The file contains all rows of the database, all attached files, and the secret and the mails of the data folder:",
    "anyone who has it has access to everything. It does not contain the settings of the environment.",
    "--without-secret  leaves the secret out: stored keys of connections cannot be read with the file alone, and a",
    "                  restore needs SECRET_KEY, or the file secret-key in the data folder",
  ],
  options: { "without-secret": { type: "boolean" } },
  operands: { min: 1, max: 1 },
  async run(call) {
    const file = resolve(call.operand(0));
    call.print(`Writes everything to ${file}.`);
    const { header, counts, files, attached } = await writeBackup(call, file, {
      hasSecret: !call.has("without-secret"),
    });
    const rows = sumRows(counts);
    const { createdAt, database, migrations } = header;
    return {
      data: { file, createdAt, database, migrations, rows, tables: counts, files, attached },
      lines: [
        `${file} contains ${rows} rows of ${counts.length} tables, ${files.length} files and ${attached.files} attached files.`,
        ...missingLine(attached.missing),
      ],
    };
  },
};

const restoreCommand: Command = {
  name: "restore",
  usage: "FILE [--force] [--keep-sessions] [--accept-new-secret] [--yes]",
  summary: "Replaces the data by a backup, or by a copy that an upgrade made.",
  details: [
    "Servers must be stopped. The next start migrates the database if it is older.",
    "--force          replaces existing accounts too; the old data is stored in backups/ of the data folder",
    "Everybody must sign in again. Mailed links, invitations, offers of ownership and links to chats do not work any more.",
    "--keep-sessions  keeps all of these, even those that were ended since",
    "--accept-new-secret  restores keys of connections too that the secret of the installation does not open",
  ],
  options: {
    force: { type: "boolean" },
    "keep-sessions": { type: "boolean" },
    [ACCEPTS_NEW_SECRET]: { type: "boolean" },
  },
  operands: { min: 1, max: 1 },
  async run(call) {
    const file = resolve(call.operand(0));
    const source = await recognise(file);
    const { config, secrets } = call.configuration();
    call.print(
      `Restores ${file} to ${secrets.databaseUrl ? "the database of DATABASE_URL" : resolve(config.dataDir)}.`,
    );
    const restored = await restore(call, source);
    const { counts, files, attached, missing, replaced, hasSecret, migrations, createdAt } = restored;
    const rows = sumRows(counts);
    const paths = files.map(({ path }) => path);
    return {
      data: {
        ...{ file, createdAt, migrations, rows, tables: counts, files: paths, replaced, hasSecret },
        attached: { files: attached, missing },
      },
      lines: [
        `${rows} rows of ${counts.length} tables, ${files.length} files and ${attached} attached files are restored and compared.`,
        ...missingLine(missing),
        ...(call.has("keep-sessions")
          ? []
          : [
              "Everybody must sign in again. Mailed links, invitations, offers of ownership and links to chats have ended.",
            ]),
        ...(replaced ? [`The old data is stored as ${replaced}.`] : []),
        ...(hasSecret ? [] : ["The secret of this installation is used: links in older mails may not work."]),
      ],
    };
  },
};

const verifyCommand: Command = {
  name: "verify",
  usage: "[FILE]",
  summary: "Checks the database and attached files for damage, or a backup or copy without restoring it.",
  details: ["Exits with 4 if something is wrong, and prints examples. It changes nothing."],
  operands: { min: 0, max: 1 },
  run: verify,
};

export const backupCommands: readonly Command[] = [backup, restoreCommand, verifyCommand, moveCommand];
