import { useTranslation } from "react-i18next";
import { Spinner } from "../ui/components/spinner.tsx";
import { useDelayed } from "../ui/components/use-delayed.ts";

/** While a page's own part is fetched; empty for the first moment, so that fast ones do not flicker. */
export function PageLoading() {
  const { t } = useTranslation("app");
  const isShown = useDelayed(150);
  if (!isShown) return null;
  return (
    <div role="status" className="flex min-h-dvh animate-fade items-center justify-center gap-2 text-muted text-sm">
      <Spinner />
      {t("loading")}
    </div>
  );
}
