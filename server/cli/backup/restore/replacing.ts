import { type Call, Refusal } from "../../command.ts";
import type { Restored } from "../load.ts";

/** What a restore has done to the database; `replaced`: where what was there before is kept. */
export type Replacement = { restored: Restored; replaced: string | null };

const UNKNOWN = "The database here is damaged, and its accounts cannot be counted.";

/** How many accounts are to be replaced; "unknown" where what is there is too damaged to say. */
export type AccountCount = number | "unknown";

/** @throws Refusal */
export function refuseWithoutForce(call: Call, accounts: AccountCount): void {
  if (call.has("force")) return;
  const found = accounts === "unknown" ? UNKNOWN : `There are accounts here already (${accounts}).`;
  throw new Refusal(`${found} To have them replaced, add --force.`);
}

/** @throws Refusal where nobody agrees */
export async function agreeToReplace(call: Call, accounts: AccountCount): Promise<void> {
  refuseWithoutForce(call, accounts);
  await call.confirm(
    accounts === "unknown"
      ? `${UNKNOWN} They are replaced with what is restored; its files are kept in the data folder.`
      : `Replaces all accounts (${accounts}) with what is restored; a copy of them is kept in the data folder.`,
  );
}

/** At once: whatever comes after may fail, or be killed. */
export function printStashed(call: Call, path: string): void {
  call.print(`What is there is kept as ${path}.`);
}
