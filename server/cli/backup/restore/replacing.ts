import { StoreFailure } from "../../../files/stores/file-store.ts";
import { type Call, Refusal } from "../../command.ts";
import type { Restored } from "../load.ts";

/** Result of a restore of the database; `replaced`: path of the stashed former content. */
export type Replacement = { restored: Restored; replaced: string | null };

const UNKNOWN = "The database here is damaged, and its accounts cannot be counted.";

/** Number of accounts that the restore replaces; "unknown" if the database is too damaged to count them. */
export type AccountCount = number | "unknown";

/** @throws Refusal if --force is not given */
export function refuseWithoutForce(call: Call, accounts: AccountCount): void {
  if (call.has("force")) return;
  const found = accounts === "unknown" ? UNKNOWN : `There are already accounts here (${accounts}).`;
  throw new Refusal(`${found} To replace them, add --force.`);
}

/** Asks whether to replace the accounts. @throws Refusal without --force or without confirmation */
export async function agreeToReplace(call: Call, accounts: AccountCount): Promise<void> {
  refuseWithoutForce(call, accounts);
  await call.confirm(
    accounts === "unknown"
      ? `${UNKNOWN} The restored data replaces them; its files are moved to backups/ of the data folder.`
      : `Replaces all accounts (${accounts}) with the restored data; a copy of them is stored in backups/ of the data folder.`,
  );
}

/** Prints the path of the stash. Must be called at once, because later steps may fail or be killed. */
export function printStashed(call: Call, path: string): void {
  call.print(`The old data is stored as ${path}.`);
}

/** Returns why a restore has failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreFailure) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
