import { useTranslation } from "react-i18next";
import { Skeleton } from "../../ui/components/skeleton.tsx";

/** Skeleton of the cards and of the chart. */
export function OverviewLoading() {
  const { t } = useTranslation("settings");
  return (
    <>
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <div className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {["people", "replies", "cost"].map((card) => (
          <div key={card} className="flex flex-col gap-3 rounded-surface border border-hairline p-4 sm:p-5">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-7 w-3/5" />
            <Skeleton className="mt-2 h-4 w-full" />
            <Skeleton className="h-4 w-full" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-10 h-44 w-full" />
    </>
  );
}
