import type { ChangeSettings, InstallationSettingsAnswer } from "#contract/administration/installation.ts";
import { SECOND } from "#contract/limits.ts";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { failureText } from "../../forms/failure-text.ts";
import { i18n } from "../../locales/i18n.ts";
import { withProof } from "../../proof/proof.ts";
import { useResource } from "../../queries/use-resource.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { installationApi } from "./installation-api.ts";
import { changeBack, type FormSetting } from "./setting-drafts.ts";

const UNDO_MS = 10 * SECOND;
const NOTIFICATION_MS = 6 * SECOND;

export type Installation = {
  /** Null until they have been read. */
  settings: InstallationSettingsAnswer | null;
  error: unknown;
  reload: () => void;
  /** Saves a setting and offers to undo it. Throws ApiError, and Declined without a proof. */
  save: (name: FormSetting, changes: ChangeSettings) => Promise<void>;
};

/** Returns the settings of the installation. `onSaved` is called after each change. */
export function useInstallation(onSaved: () => void = () => {}): Installation {
  const { value: settings, error, reload, change } = useResource(installationApi.readSettings);

  const apply = async (changes: ChangeSettings) => {
    change(await withProof(() => installationApi.changeSettings(changes)));
    onSaved();
    // The name is shown on every page.
    void loadAuthConfig();
  };
  const undo = async (name: FormSetting, changes: ChangeSettings) => {
    try {
      await apply(changes);
      notify("info", i18n.t("installation:undone", { setting: wordOf(name) }), { durationMs: NOTIFICATION_MS });
    } catch (cause) {
      const text = failureText(cause);
      if (text !== null) notify("error", text);
    }
  };
  const save = async (name: FormSetting, changes: ChangeSettings) => {
    if (settings === null) return;
    const before = changeBack(name, settings);
    await apply(changes);
    notify("info", i18n.t("installation:saved", { setting: wordOf(name) }), {
      durationMs: UNDO_MS,
      action: { label: i18n.t("installation:undo"), run: () => void undo(name, before) },
    });
  };
  return { settings, error, reload: () => void reload(), save };
}

const wordOf = (name: FormSetting) => i18n.t(`installation:settings.${name}`);
