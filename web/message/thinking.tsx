import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "#contract/limits.ts";
import { preloadReadingFont } from "../ui/appearance/preload-reading-font.ts";
import { Spinner } from "../ui/components/spinner.tsx";
import { useDelayed } from "../ui/components/use-delayed.ts";

const LONG_WAIT_MS = 8 * SECOND;

/** Shown until the first word; after {@link LONG_WAIT_MS} it says what takes so long. */
export function Thinking() {
  const { t } = useTranslation("chat");
  const isLong = useDelayed(LONG_WAIT_MS);
  useEffect(preloadReadingFont, []);
  return (
    <p className="reading flex min-h-[1.65em] flex-wrap items-center gap-x-2.5 text-muted leading-reading">
      <Spinner />
      {t("messages.thinking")}
      {/* Rendered empty at first: screen readers announce only later changes of a live region. */}
      <span role="status" className="text-sm">
        {isLong && t("messages.stillWaiting")}
      </span>
    </p>
  );
}

/** Says that an answer whose text has this length has not grown for {@link LONG_WAIT_MS}. */
export function Stalled({ length }: { length: number }) {
  const { t } = useTranslation("chat");
  const isLong = useDelayed(LONG_WAIT_MS, length);
  return (
    <span role="status" className="text-muted text-sm">
      {isLong && t("messages.stillWaiting")}
    </span>
  );
}
