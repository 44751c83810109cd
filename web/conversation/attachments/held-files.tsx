import { useTranslation } from "react-i18next";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { composerFilesModule } from "./use-attaching.ts";

const { subscribe, isMissing } = composerFilesModule;

/** The place of files whose module is not loaded; says why after a failure. Without `onCancel`, the draft has them. */
export function HeldFiles({ onCancel }: { onCancel: (() => void) | undefined }) {
  const { t } = useTranslation(["chat", "app"]);
  const hasFailed = useStore({ subscribe, get: isMissing });
  return (
    <div role="status" className="flex min-h-18 items-center gap-x-2 px-4 pt-3 text-muted text-sm">
      <Spinner />
      {hasFailed && <span className="min-w-0">{t("chat:composer.filesLater")}</span>}
      {hasFailed && onCancel && (
        <Button variant="quiet" size="small" className="text-ink" onClick={onCancel}>
          {t("app:cancel")}
        </Button>
      )}
    </div>
  );
}
