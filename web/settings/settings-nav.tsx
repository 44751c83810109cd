import { useTranslation } from "react-i18next";
import { SideNav } from "../page/side-nav.tsx";
import { type SettingsSection, settingsSections } from "../ui/settings-sections.ts";

/** Navigation of the settings. */
export function SettingsNav({ section }: { section: SettingsSection }) {
  const { t } = useTranslation(["settings", "app"]);
  const links = settingsSections.map(({ section: each, Icon, name }) => ({
    to: `/settings/${each}`,
    Icon,
    name: t(name),
    isCurrent: each === section,
  }));
  return <SideNav label={t("title")} back={t("back")} links={links} />;
}
