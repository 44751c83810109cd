import { useTranslation } from "react-i18next";
import { useLanguageSelect } from "../../accounts/use-language-select.tsx";
import { Select } from "../../ui/components/select.tsx";
import { Section } from "../section.tsx";

/** Which language the pages speak. */
export function LanguageSection() {
  const { t } = useTranslation("app");
  const select = useLanguageSelect(true);
  return (
    <Section title={t("language.label")}>
      <div className="p-4 sm:p-5">
        <Select className="sm:max-w-80" {...select} />
      </div>
    </Section>
  );
}
