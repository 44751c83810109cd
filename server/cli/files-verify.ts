import { HOUR } from "#contract/limits.ts";
import { openStores, storesSettingsOf } from "../files/stores/open-stores.ts";
import { verifyFiles } from "../files/verify-files.ts";
import type { Command } from "./command.ts";
import { openCurrentForReading } from "./open-installation.ts";

/** Command that compares the attached files with their stored bytes. */
export const filesVerify: Command = {
  name: "files verify",
  usage: "",
  summary: "Checks that every attached file has its bytes, and that no bytes belong to no file.",
  details: [
    "Bytes without a file that are older than an hour are removed by the hourly sweep of a server.",
    "Ends with exit code 4 if bytes are missing or have another length.",
  ],
  operands: { min: 0, max: 0 },
  run: async (call) => {
    await using opened = new AsyncDisposableStack();
    const database = opened.adopt(await openCurrentForReading(call), (db) => db.destroy());
    const { files } = opened.use(await openStores({ database, ...storesSettingsOf(call.configuration()) }));
    const report = await verifyFiles({ database, files }, Date.now() - HOUR);
    const isUnsound = report.missing.length + report.damaged.length > 0;
    return {
      data: { ...report },
      lines: [
        `${report.files} files: ${report.missing.length} without bytes, ${report.damaged.length} of another length.`,
        `${report.strays} stored objects without a file.`,
        ...report.missing.map((key) => `missing: ${key}`),
        ...report.damaged.map((key) => `damaged: ${key}`),
      ],
      ...(isUnsound && { word: "unsound" as const }),
    };
  },
};
