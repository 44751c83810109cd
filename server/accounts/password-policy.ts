import { guessable, type OwnerNames } from "#contract/accounts/passwords.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import type { Config } from "../config/config.ts";
import { Failure } from "../failure.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { Accounts } from "./accounts.ts";

export type PolicySettings = {
  config: Pick<Config, "passwordPolicy">;
  installation: Pick<InstallationSettings, "current">;
};

let common: Promise<ReadonlySet<string>> | undefined;

/** About fifty thousand words: loaded on first use. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return common;
}

/** @throws Failure `invalid-input` if this server refuses passwords that are easily guessed, and this is one */
export async function refuseGuessable(
  { config, installation }: PolicySettings,
  password: string,
  { firstname, lastname, username, email }: OwnerNames,
): Promise<void> {
  if (config.passwordPolicy !== "strict") return;
  const owner = { firstname, lastname, username, email, productName: installation.current.productName };
  const words = await loadCommonPasswords();
  const reason = guessable(password, owner, (word) => words.has(word));
  if (reason) throw new Failure("invalid-input", { issues: [{ field: "password", rule: reason }] });
}

/**
 * Hashes a new password. Looks it up first, where the operator has chosen that, so local rules and limits come before.
 * @param flow the client and account of the request
 * @throws Failure `invalid-input` if the password is breached; `unavailable` if the queue of hashes is full
 */
export async function hashNewPassword(
  { breachLookup, passwords }: Pick<Accounts, "breachLookup" | "passwords">,
  password: string,
  flow: Flow,
): Promise<string> {
  if (await breachLookup?.isBreached(password, flow)) {
    throw new Failure("invalid-input", { issues: [{ field: "password", rule: "common" }] });
  }
  return passwords.hash(password, flow);
}
