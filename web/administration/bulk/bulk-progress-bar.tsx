import { useTranslation } from "react-i18next";
import { waitText } from "../../api/wait-text.ts";
import { useWait } from "../../forms/use-wait.ts";
import { Button } from "../../ui/components/button.tsx";
import type { BulkProgress } from "./use-bulk-invitations.ts";

type BulkProgressBarProps = { progress: BulkProgress; onStop: () => void };

/** Progress of a list, with the pause that the server asks for. Screen readers announce the beginning of a pause. */
export function BulkProgressBar({ progress: { kind, done, total, pause }, onStop }: BulkProgressBarProps) {
  const { t, i18n } = useTranslation("bulk");
  const { waitMs, leftMs } = useWait(pause);
  const numbers = new Intl.NumberFormat(i18n.language);
  const isPaused = pause !== null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-48">
        <progress
          aria-label={t(kind)}
          max={total}
          value={done}
          className="block h-2 w-full appearance-none overflow-hidden rounded-full border border-outline bg-page forced-colors:appearance-auto [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-page [&::-webkit-progress-value]:bg-accent"
        />
        <p className="mt-2 text-sm tabular-nums leading-text">
          {t("progress", { done: numbers.format(done), total: numbers.format(total) })}
        </p>
        <p role="status" className="sr-only">
          {isPaused && t("pause", { wait: waitText(waitMs) })}
        </p>
        {isPaused && (
          <p aria-hidden="true" className="text-muted text-sm tabular-nums leading-text">
            {t("pause", { wait: waitText(leftMs) })}
          </p>
        )}
      </div>
      <Button variant="secondary" size="small" onClick={onStop}>
        {t("stop")}
      </Button>
    </div>
  );
}
