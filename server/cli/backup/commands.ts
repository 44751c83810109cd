import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { sumRows } from "./digest.ts";
import { recognise } from "./load.ts";
import { moveCommand } from "./move/move-command.ts";
import { restore } from "./restore/restore.ts";
import { verify } from "./verify.ts";
import { writeBackup } from "./write-backup.ts";

const backup: Command = {
  name: "backup",
  usage: "FILE",
  summary: "Writes everything into one new file, as it is at one moment, while servers run.",
  details: [
    "It holds all rows of the database, the secret of the data folder and the mails that were written into it: whoever",
    "has it, has everything. Settings of the environment are not in it.",
  ],
  operands: { min: 1, max: 1 },
  async run(call) {
    const file = resolve(call.operand(0));
    call.print(`Writes everything to ${file}.`);
    const { header, counts, files } = await writeBackup(call, file);
    const rows = sumRows(counts);
    const { createdAt, database, migrations } = header;
    return {
      data: { file, createdAt, database, migrations, rows, tables: counts, files },
      lines: [`${file} holds ${rows} rows of ${counts.length} tables and ${files.length} files.`],
    };
  },
};

const restoreCommand: Command = {
  name: "restore",
  usage: "FILE [--force] [--keep-sessions] [--yes]",
  summary: "Puts a backup, or a copy that an upgrade has kept, in the place of what there is.",
  details: [
    "Servers must be stopped. The next start brings the database up to date where it is older.",
    "--force          also where there are accounts; what was there is kept in backups/ of the data folder",
    "--keep-sessions  leaves everybody signed in, those too whose session was ended since; else all sign in anew",
  ],
  options: { force: { type: "boolean" }, "keep-sessions": { type: "boolean" } },
  operands: { min: 1, max: 1 },
  async run(call) {
    const file = resolve(call.operand(0));
    const source = await recognise(file);
    const { config, secrets } = call.configuration();
    call.print(
      `Restores ${file} to ${secrets.databaseUrl ? "the database of DATABASE_URL" : resolve(config.dataDir)}.`,
    );
    const { counts, files, replaced, hasSecret, migrations, createdAt } = await restore(call, source);
    const rows = sumRows(counts);
    const paths = files.map(({ path }) => path);
    return {
      data: { file, createdAt, migrations, rows, tables: counts, files: paths, replaced, hasSecret },
      lines: [
        `${rows} rows of ${counts.length} tables and ${files.length} files are restored and compared.`,
        ...(replaced ? [`What was there is kept as ${replaced}.`] : []),
        ...(hasSecret ? [] : ["The secret is that of this installation: links in mails from before may not work."]),
      ],
    };
  },
};

const verifyCommand: Command = {
  name: "verify",
  usage: "[FILE]",
  summary: "Looks for damage: in the database, or in a backup or kept copy without restoring it.",
  details: ["Ends with 4 where something is wrong, and names some of it. It changes nothing."],
  operands: { min: 0, max: 1 },
  run: verify,
};

export const backupCommands: readonly Command[] = [backup, restoreCommand, verifyCommand, moveCommand];
