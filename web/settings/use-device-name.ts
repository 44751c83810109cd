import { useTranslation } from "react-i18next";

/** "Chrome on Linux", or as much of it as is known. */
export function useDeviceName(): (client: { browser: string; system: string }) => string {
  const { t } = useTranslation("settings");
  return ({ browser, system }) => {
    if (browser && system) return t("device.both", { browser, system });
    return browser || system || t("device.unknown");
  };
}
