import { useTranslation } from "react-i18next";
import { Skeleton } from "../../ui/components/skeleton.tsx";

/** Skeleton of the button and the cards of connections. */
export function ConnectionsLoading() {
  const { t } = useTranslation("settings");
  return (
    <div className="mt-6">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <Skeleton className="h-10 w-36" />
      <div className="mt-6 flex flex-col gap-4">
        {[1, 2, 3].map((card) => (
          <div key={card} className="flex flex-col gap-3 rounded-surface border border-hairline bg-raised p-4 sm:p-5">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="mt-1 h-8 w-28" />
          </div>
        ))}
      </div>
    </div>
  );
}
