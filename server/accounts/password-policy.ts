import { guessable, type OwnerNames } from "#contract/accounts/passwords.ts";
import type { Config } from "../config/config.ts";
import { Failure } from "../failure.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";

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
