import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isUnreachable } from "../api/problem-text.ts";
import { tooOftenText } from "../api/wait-text.ts";
import { Banner } from "../ui/notifications/banner.tsx";
import type { Failure } from "./use-sending.ts";
import { useWait } from "./use-wait.ts";

type FailureBannerProps = { failure: Failure | null; className?: string; children?: ReactNode };

/**
 * Shows the sentence for a failure, if any, with advice: if the server could not be reached, or a countdown if it asked
 * to wait. `children`: further controls.
 */
export function FailureBanner({ failure, ...rest }: FailureBannerProps) {
  return failure && <FailureText failure={failure} {...rest} />;
}

function FailureText({ failure: { text, error }, className, children }: FailureBannerProps & { failure: Failure }) {
  const { t } = useTranslation("app");
  const { waitMs, leftMs } = useWait(error);
  return (
    <Banner {...(className ? { className } : {})}>
      {waitMs === 0 ? <p>{text}</p> : <Wait waitMs={waitMs} leftMs={leftMs} />}
      {isUnreachable(error) && <p className="text-muted">{t("failure.unreachable")}</p>}
      {children}
    </Banner>
  );
}

/** Countdown. Screen readers announce the length of the wait and its end, but not each second. */
function Wait({ waitMs, leftMs }: { waitMs: number; leftMs: number }) {
  const { t } = useTranslation("app");
  if (leftMs === 0) return <p>{t("wait.over")}</p>;
  return (
    <>
      <p className="sr-only">{tooOftenText(waitMs)}</p>
      <p aria-hidden="true" className="text-pretty tabular-nums">
        {tooOftenText(leftMs)}
      </p>
    </>
  );
}
