import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";

/** Message of failure. `onAgain`: shows a retry button; given only if a retry may succeed. */
export function DiagramFailure({ text, onAgain }: { text: string; onAgain?: (() => void) | undefined }) {
  const { t } = useTranslation("replies");
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-1 text-muted text-sm">
      <p>{text}</p>
      {onAgain && (
        <Button variant="secondary" size="small" onClick={onAgain}>
          {t("diagram.again")}
        </Button>
      )}
    </div>
  );
}
