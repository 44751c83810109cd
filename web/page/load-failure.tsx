import { useTranslation } from "react-i18next";
import { isUnreachable, textByCode } from "../api/problem-text.ts";
import { Button } from "../ui/components/button.tsx";
import { Banner } from "../ui/notifications/banner.tsx";

type LoadFailureProps = { error: unknown; onRetry: () => void; className?: string };

/** Replaces content that could not be loaded, with a retry button. */
export function LoadFailure({ error, onRetry, className }: LoadFailureProps) {
  const { t } = useTranslation(["settings", "app"]);
  const text = isUnreachable(error) ? t("failure.unreachable", { ns: "app" }) : textByCode(error);
  return (
    <Banner
      className={className ?? ""}
      action={
        <Button variant="secondary" size="small" className="shrink-0 self-center" onClick={onRetry}>
          {t("tryAgain")}
        </Button>
      }
    >
      {t("loadFailed")} {text}
    </Banner>
  );
}
