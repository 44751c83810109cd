import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountSession } from "#contract/accounts/sessions.ts";
import { useDeviceName } from "../../accounts/use-device-name.ts";
import { ApiError } from "../../api/api-error.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import type { QueryResult } from "../../queries/use-query.ts";
import { settingsApi } from "../settings-api.ts";

export type SessionsProps = {
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

/** Ends one session, or all others. `heading` takes the focus afterwards: the focused button is removed. */
export function useEndSessions({ sessions, onEnded }: SessionsProps, heading: RefObject<HTMLElement | null>) {
  const { t } = useTranslation("settings");
  const nameOf = useDeviceName();
  const { run, busy, failure } = useAction<string>();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const list = sessions.value ?? [];

  const finish = (rest: AccountSession[], text: string) => {
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
  return { list, end, endOthers, busy, failure, confirmation };
}
