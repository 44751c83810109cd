import { useTranslation } from "react-i18next";

/** Returns a function that names a device, e.g. "Chrome on Linux", or the known half of it. */
export function useDeviceName(): (client: { browser: string; system: string }) => string {
  const { t } = useTranslation("settings");
  return ({ browser, system }) => {
    if (browser && system) return t("device.both", { browser, system });
    return browser || system || t("device.unknown");
  };
}
