import { useTranslation } from "react-i18next";
import { useAuthConfig } from "./auth-config.ts";

/** Sentence under a page heading: the link of a mail is on the console, because the server has no mail server. */
export function NoMailServer({ className = "-mt-5 mb-8 text-pretty text-muted leading-text" }) {
  const { t } = useTranslation("accounts");
  const { isMailOnConsole } = useAuthConfig();
  return isMailOnConsole ? <p className={className}>{t("noMailServer")}</p> : null;
}
