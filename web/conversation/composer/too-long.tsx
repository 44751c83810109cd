import { useTranslation } from "react-i18next";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";

registerTexts("files", files);

/** Says how many characters a message has that exceeds the limit, and the limit. */
export default function TooLong({ length, max }: { length: number; max: number }) {
  const { t, i18n } = useTranslation("files");
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <p role="alert" className="px-4 pt-2.5 text-danger text-sm leading-text">
      {t("tooLong", { length: format.format(length), max: format.format(max) })}
    </p>
  );
}
