import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { SessionLine } from "./session-line.tsx";
import { type SessionsProps, useEndSessions } from "./use-end-sessions.ts";

/** Sessions of the account, which can be ended. */
export function SessionsSection({ sessions, onEnded }: SessionsProps) {
  const { t } = useTranslation("settings");
  const heading = useRef<HTMLHeadingElement>(null);
  const { list, end, endOthers, busy, failure, confirmation } = useEndSessions({ sessions, onEnded }, heading);
  const [isAsking, setAsking] = useState(false);
  const hasOthers = list.some(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title={t("sessions.title")}
      text={t("sessions.text")}
      headingRef={heading}
      action={
        hasOthers && (
          <Button
            variant="secondary"
            size="small"
            busy={busy === "others"}
            aria-disabled={busy !== null || undefined}
            onClick={() => busy === null && setAsking(true)}
          >
            {t("sessions.endOthers")}
          </Button>
        )
      }
    >
      {failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
      {sessions.error !== null && (
        <div className="p-4 sm:p-5">
          <LoadFailure error={sessions.error} onRetry={sessions.reload} />
        </div>
      )}
      {sessions.value === null && sessions.error === null && <LinesLoading lines={2} />}
      {list.length > 0 && (
        <ul className="divide-y divide-hairline">
          {list.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              isBusy={busy === session.id}
              isHeld={busy !== null}
              onEnd={() => end(session)}
            />
          ))}
        </ul>
      )}
      <FormStatusLine text={confirmation} />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t("sessions.endOthersTitle")}
        description={t("sessions.endOthersText")}
        confirmLabel={t("sessions.endOthers")}
        onConfirm={() => void endOthers()}
      />
    </Section>
  );
}
