import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountSession } from "#contract/accounts/sessions.ts";
import { useDeviceName } from "../../accounts/use-device-name.ts";
import { ApiError } from "../../api/api-error.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import type { QueryResult } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { settingsApi } from "../settings-api.ts";
import { SessionLine } from "./session-line.tsx";

type SessionsSectionProps = {
  sessions: QueryResult<AccountSession[]>;
  /** Called after sessions were ended: reloads them, and the account details that changed with them. */
  onEnded: () => void;
};

/** Ends a session; one that has already ended counts as a success. */
async function endSession(id: string): Promise<void> {
  try {
    await settingsApi.endSession(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** Sessions of the account, which can be ended. */
export function SessionsSection({ sessions, onEnded }: SessionsSectionProps) {
  const { t } = useTranslation("settings");
  const nameOf = useDeviceName();
  const { run, busy, failure } = useAction<string>();
  const [isAsking, setAsking] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = sessions.value ?? [];
  const hasOthers = list.some(({ isCurrent }) => !isCurrent);

  const finish = (rest: AccountSession[], text: string) => {
    // The focused button is removed.
    heading.current?.focus({ preventScroll: true });
    sessions.change(rest);
    setConfirmation(text);
    onEnded();
  };
  const end = (session: AccountSession) =>
    run(session.id, async () => {
      setConfirmation(null);
      await withProof(() => endSession(session.id));
      const rest = list.filter(({ id }) => id !== session.id);
      finish(rest, t("sessions.ended", { device: nameOf(session) }));
    });
  const endOthers = () =>
    run("others", async () => {
      setConfirmation(null);
      await withProof(settingsApi.endOtherSessions);
      finish(
        list.filter(({ isCurrent }) => isCurrent),
        t("sessions.endedOthers"),
      );
    });

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
