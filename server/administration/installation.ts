import type { ChangeSettings, InstallationSettingsAnswer } from "#contract/administration/installation.ts";
import type { NewSiteNotice } from "#contract/administration/new-site-notice.ts";
import type { ChangeSetup, Setup, SetupStep, TestMail } from "#contract/administration/setup.ts";
import { templates } from "../accounts/account-letters.ts";
import { type ChangeDeps, type Changer, changeAsRole } from "../accounts/trust/change-as.ts";
import type { Config } from "../config/config.ts";
import { Failure } from "../failure.ts";
import { changeSettings, describeSettings } from "../installation/change-settings.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import { changeSetup, readSetupDecisions } from "../installation/setup.ts";
import { changeNotice } from "../installation/site-notice.ts";
import type { Limits } from "../limits/limits.ts";
import type { Models } from "../models/open-models.ts";
import { hasInvitation, hasSeveralAccounts } from "./setup-store.ts";

export type InstallationDeps = ChangeDeps & {
  config: Config;
  installation: InstallationSettings;
  limits: Limits;
  models: Pick<Models, "health">;
  /** `current`: the search engine in effect; undefined if there is none. */
  webSearch: { current: () => unknown };
};

/** Returns the settings with their sources. */
export function readSettings({ config, database }: InstallationDeps): Promise<InstallationSettingsAnswer> {
  return describeSettings(database, config.fixedSettings);
}

/**
 * Changes settings of the installation, on all processes. @returns the settings
 * @throws Failure `invalid-input`, and those of {@link changeAsRole}
 */
export async function saveSettings(
  deps: InstallationDeps,
  changes: ChangeSettings,
  changer: Changer,
): Promise<InstallationSettingsAnswer> {
  const { config, installation } = deps;
  const hasChanged = await changeAsRole(deps, changer.identity, "owner", ({ db }, by) =>
    changeSettings(db, changes, { fixed: config.fixedSettings, ...by }),
  );
  if (hasChanged) await installation.publish();
  return readSettings(deps);
}

/**
 * Replaces or removes (null) the notice to everybody, on all processes.
 * @throws Failure `invalid-input` if its end has passed; those of {@link changeAsRole}
 */
export async function saveNotice(
  deps: InstallationDeps,
  notice: NewSiteNotice | null,
  changer: Changer,
): Promise<void> {
  const { clock, installation } = deps;
  if (notice?.until !== undefined && notice.until <= clock.now()) {
    throw new Failure("invalid-input", { issues: [{ field: "until", rule: "invalid" }] });
  }
  const hasChanged = await changeAsRole(deps, changer.identity, "administrator", ({ db }, by) =>
    changeNotice(db, notice, by),
  );
  if (hasChanged) await installation.publish();
}

/** Returns the state of each first step. */
export async function readSetup(deps: InstallationDeps): Promise<Setup> {
  const { config, database, models, webSearch } = deps;
  const { dismissedAt, skipped } = await readSetupDecisions(database);
  const settings = await readSettings(deps);
  const isChosen = (name: keyof InstallationSettingsAnswer) => settings[name].source !== "default";
  const isDone: Record<SetupStep, boolean> = {
    name: isChosen("productName"),
    registration: isChosen("registration") || isChosen("registrationDomains"),
    mail: config.hasMailServer,
    provider: models.health().length > 0,
    search: webSearch.current() !== undefined,
    people: (await hasInvitation(database)) || (await hasSeveralAccounts(database)),
  };
  const stateOf = (step: SetupStep) => (isDone[step] ? "done" : skipped.includes(step) ? "skipped" : "todo");
  return {
    steps: {
      name: stateOf("name"),
      registration: stateOf("registration"),
      mail: stateOf("mail"),
      provider: stateOf("provider"),
      search: stateOf("search"),
      people: stateOf("people"),
    },
    ...(dismissedAt !== undefined && { dismissedAt }),
  };
}

/** Stores the owner's decisions about the first steps. @throws Failure as of {@link changeAsRole} */
export async function saveSetup(deps: InstallationDeps, changes: ChangeSetup, changer: Changer): Promise<void> {
  await changeAsRole(deps, changer.identity, "owner", ({ db }, { at }) => changeSetup(db, changes, at), "session");
}

/**
 * Mails a test letter to the address of the signed-in account, and waits shortly for the result.
 * @throws Failure `too-many-requests`, and those of {@link changeAsRole}
 */
export async function sendTestMail(deps: InstallationDeps, changer: Changer): Promise<TestMail> {
  const { limits, outbox } = deps;
  await limits.take("test-mail", changer.identity.userId);
  const { id, to } = await changeAsRole(deps, changer.identity, "owner", async ({ db, user }) => ({
    id: await outbox.enqueue(db, { template: templates.test, userId: user.id }),
    to: user.email,
  }));
  return { to, state: await outbox.waitFor(id) };
}
