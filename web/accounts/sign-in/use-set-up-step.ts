import { useEffect, useRef, useState } from "react";
import { accountPaths } from "#contract/accounts/paths.ts";
import { setUpSignedInSchema, type TotpEnrolment, totpEnrolmentSchema } from "#contract/accounts/second-factor.ts";
import { ApiError } from "../../api/api-error.ts";
import { api } from "../../api/client.ts";
import { useAction } from "../../forms/use-action.ts";
import { loginErrorText } from "../error-texts.ts";
import type { TotpSetUpCalls } from "../second-factor/totp-set-up.tsx";
import { currentSession, endOnServer, signIn } from "../session/session.ts";
import { closeSecondStep, type SecondStepProps } from "./second-step.ts";
import { useCloseWithSession } from "./use-close-with-session.ts";

type State = { kind: "begin" } | { kind: "set-up"; enrolment: TotpEnrolment } | { kind: "codes"; codes: string[] };

/** State of the set-up of a second factor at the sign-in, with the ticket of the first step. */
export function useSetUpStep({ ticket, onExpired }: SecondStepProps) {
  const [state, setState] = useState<State>({ kind: "begin" });
  const { run, busy, failure } = useAction<"begin">();
  /** The recovery codes stay, although the session begins with them. */
  const isComplete = useRef(false);
  useCloseWithSession(isComplete);
  // The page may be left by Back while it shows the codes.
  useEffect(() => () => void (isComplete.current && closeSecondStep()), []);

  /** Begins the sign-in again if the ticket has expired. */
  const withTicket = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      if (error instanceof ApiError && error.code === "second-step-expired") {
        closeSecondStep();
        onExpired({ text: loginErrorText(error), error });
      }
      throw error;
    }
  };
  const calls: TotpSetUpCalls = {
    begin: () =>
      withTicket(() => api.post(accountPaths.secondStepEnrolment, { ticket }, totpEnrolmentSchema, { quiet401: true })),
    confirm: async (request) => {
      const body = { ticket, ...request };
      const answer = await withTicket(() =>
        api.post(accountPaths.secondStepSetUp, body, setUpSignedInSchema, { quiet401: true }),
      );
      const { token: before } = currentSession();
      isComplete.current = true;
      setState({ kind: "codes", codes: answer.recoveryCodes });
      signIn(answer);
      if (before !== null) void endOnServer(before);
      return answer.recoveryCodes;
    },
  };
  const begin = () => run("begin", async () => setState({ kind: "set-up", enrolment: await calls.begin() }));
  return { state, begin, isBeginning: busy === "begin", failure, calls };
}
