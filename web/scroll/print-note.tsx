import { useTranslation } from "react-i18next";
import print from "../locales/en/print.json";
import { registerTexts } from "../locales/i18n.ts";
import { isApple } from "../ui/keys/press.ts";

registerTexts("print", print);

/** Note above the messages in the browser's own print, which has only the messages that are rendered. */
export function PrintNote() {
  const { t } = useTranslation("print");
  const keys = isApple() ? "⌘P" : t("keys");
  return <p className="mb-4 hidden text-muted text-sm print:block">{t("notes.window", { keys })}</p>;
}
