import { useTranslation } from "react-i18next";
import { Skeleton } from "../ui/components/skeleton.tsx";

/** Skeleton of a list whose items have an icon and two lines of text. */
export function LinesLoading({ lines }: { lines: number }) {
  const { t } = useTranslation("settings");
  return (
    <div className="flex flex-col gap-6 px-4 py-5 sm:px-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <div key={line} className="flex items-center gap-4">
          <Skeleton className="size-9 shrink-0" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3.5 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
