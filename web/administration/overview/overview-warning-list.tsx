import { useTranslation } from "react-i18next";
import { type Overview, overviewWarnings } from "#contract/overview.ts";
import { sizeText } from "../../locales/size-text.ts";
import { Banner } from "../../ui/notifications/banner.tsx";

type OverviewWarningListProps = Pick<Overview, "warnings" | "storage">;

/** A banner for each warning, which says what to do. Warnings that this page does not know are left out. */
export function OverviewWarningList({ warnings, storage }: OverviewWarningListProps) {
  const { t, i18n } = useTranslation("administration");
  const known = overviewWarnings.filter((warning) => warnings.includes(warning));
  if (known.length === 0) return null;
  const free = sizeText(storage.diskFree, i18n.language);
  return (
    <section aria-label={t("overview.warningsLabel")} className="mt-6 flex flex-col gap-3">
      {known.map((warning) => (
        <Banner key={warning} tone="warning">
          {warning === "disk-nearly-full"
            ? t(`overview.warnings.${warning}`, { free })
            : t(`overview.warnings.${warning}`)}
        </Banner>
      ))}
    </section>
  );
}
