import { useTranslation } from "react-i18next";
import { hasRole } from "#contract/accounts/roles.ts";
import { useSession } from "../../accounts/session/session.ts";
import installation from "../../locales/en/installation.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { NoticeForm } from "./notice-form.tsx";
import type { FormSetting } from "./setting-drafts.ts";
import { SettingForm } from "./setting-form.tsx";
import { useInstallation } from "./use-installation.ts";

registerTexts("installation", installation);

/** `about`: setting whose text introduces the group. */
type SettingGroup = {
  group: "general" | "accounts" | "shares" | "networks";
  about?: "registration" | "shareLinks";
  names: readonly FormSetting[];
};

const groups: readonly SettingGroup[] = [
  { group: "general", names: ["productName", "dailyReplies", "toolCallsPerMinute", "toolCallsPerDay", "systemPrompt"] },
  { group: "accounts", about: "registration", names: ["registration", "registrationDomains"] },
  { group: "shares", about: "shareLinks", names: ["shareLinks", "shareDaysMax"] },
  { group: "networks", names: ["trustedNetworks"] },
];

/** Settings of the installation, each with a form of its own, and the notice to everybody. */
export function InstallationPage() {
  const { t } = useTranslation("installation");
  const { user } = useSession();
  const { settings, error, reload, save } = useInstallation();
  const isReadOnly = !hasRole(user?.role ?? "person", "owner");
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {isReadOnly && (
        <Banner tone="info" className="mt-6">
          {t("readOnly")}
        </Banner>
      )}
      {error !== null && (
        <div className="mt-6">
          <LoadFailure error={error} onRetry={reload} />
        </div>
      )}
      {settings === null && error === null && <LinesLoading lines={5} />}
      {settings !== null &&
        groups.map(({ group, about, names }) => (
          <Section key={group} title={t(`groups.${group}`)} text={about && t(`about.${about}`)}>
            <div className="divide-y divide-hairline">
              {names.map((name) => (
                <SettingForm key={name} name={name} settings={settings} isReadOnly={isReadOnly} onSave={save} />
              ))}
            </div>
          </Section>
        ))}
      <NoticeForm />
    </>
  );
}
