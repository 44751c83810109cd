import { verifyAudit } from "../audit/verify-audit.ts";
import type { Command } from "./command.ts";
import { openCurrentForReading } from "./open-installation.ts";

/** Command that computes the hash chain of the records of administration again. */
export const auditVerify: Command = {
  name: "audit verify",
  usage: "",
  summary: "Checks that no record of administration was changed or removed.",
  details: [
    "Prints the number and the hash of the last record. Keep both elsewhere: a later chain must contain that hash.",
    "Ends with exit code 4 at the first record that was changed or removed.",
  ],
  operands: { min: 0, max: 0 },
  run: async (call) => {
    const database = await openCurrentForReading(call);
    const verdict = await verifyAudit(database).finally(() => database.destroy());
    const { rows, hash, brokenAt } = verdict;
    return {
      data: { ...verdict },
      lines: [
        `${rows} records are sound; the last one has the hash ${hash}.`,
        ...(brokenAt === undefined ? [] : [`Record ${brokenAt} was changed or removed.`]),
      ],
      ...(brokenAt !== undefined && { word: "unsound" as const }),
    };
  },
};
