import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { provedSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { SsoAnswer } from "#contract/accounts/single-sign-on.ts";
import { SECOND } from "#contract/limits.ts";
import { ApiError } from "../../api/api-error.ts";
import { api } from "../../api/client.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { sentenceOf } from "../error-texts.ts";
import { forgetInvitation } from "../registration/use-invitation-key.ts";
import { currentSession, endOnServer, signIn } from "../session/session.ts";
import { pathAfterSignIn } from "../sign-in/path-after-sign-in.ts";
import { useFirstStep } from "../sign-in/use-first-step.ts";
import { pendingConnection } from "../sso/pending-connection.ts";
import { type StoredAttempt, takeAttempt } from "../sso/sso-attempt.ts";
import { useIdentitySignIn } from "../sso/use-identity-sign-in.ts";

/** Parameters of the address: an answer, or an error (RFC 6749, section 4.1.2). */
export type ProviderReturn = Record<"code" | "state" | "iss" | "error", string | null>;

/** `back`: path of the page that the attempt began on. */
type Failed = { failure: Failure; back: string };

/** Errors by which a provider says that it does not work at present. */
const UNAVAILABLE = new Set(["server_error", "temporarily_unavailable"]);

/** Codes whose sentences are about forms and pages: of parameters that no provider sends, and of one that was removed. */
const GENERAL = new Set(["invalid-input", "not-found"]);

/**
 * An attempt that this tab does not have is one of a sign-in: the browser may have changed the tab. The server refuses
 * an answer to an attempt for another purpose, or of another browser.
 */
const UNKNOWN: Omit<StoredAttempt, "state"> = { purpose: "sign-in", from: "/chat" };

/** Time for which the confirmation of a proof is shown. */
const CONFIRMED_MS = 8 * SECOND;

/** Completes the attempt for its purpose, once, and opens the next page. Returns its failure, or null. */
export function useCompletion(provider: string, answer: ProviderReturn): Failed | null {
  const [failed, setFailed] = useState<Failed | null>(null);
  const complete = useComplete();
  const textOf = useFailureText();
  const run = useEffectEvent(async () => {
    const attempt = takeAttempt(answer.state) ?? UNKNOWN;
    try {
      const { code, state, iss } = answer;
      if (code === null || state === null) throw new ProviderError(answer.error);
      await complete(attempt, { provider, code, state, ...(iss !== null && { iss }) });
    } catch (error) {
      const back = attempt.purpose === "sign-in" ? "/login" : pathAfterSignIn(attempt);
      setFailed({ failure: { text: textOf(error), error }, back });
    }
  });
  // An effect may run twice, and a code is valid once.
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void run();
  }, []);
  return failed;
}

/** The provider answered with an error. `code`: null if it did not name one. */
class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: string | null;

  constructor(code: string | null) {
    super("The provider reported an error");
    // The address can be written by anyone: only what a protocol could name is shown.
    this.code = code !== null && /^[a-z_]{1,40}$/.test(code) ? code : null;
  }
}

/** Returns the function that sends the answer for the purpose of its attempt. It throws ApiError. */
function useComplete() {
  const { t } = useTranslation("sso");
  const navigate = useNavigate();
  const send = useIdentitySignIn(useFirstStep());
  const signInBy = async (sso: SsoAnswer, { from, invitation }: Pick<StoredAttempt, "from" | "invitation">) => {
    const { token: before } = currentSession();
    const body = invitation === undefined ? { sso } : { sso, invitation };
    const answer = await send(accountPaths.sso, body, { from });
    if (answer === null) return;
    if (invitation !== undefined) forgetInvitation();
    signIn(answer);
    if (before !== null) void endOnServer(before);
    void navigate(pathAfterSignIn({ from }), { replace: true });
  };
  return async (attempt: Omit<StoredAttempt, "state">, sso: SsoAnswer): Promise<void> => {
    const { isSignedIn } = currentSession();
    if (attempt === UNKNOWN && isSignedIn) return void navigate("/chat", { replace: true });
    if (attempt.purpose === "sign-in") return signInBy(sso, attempt);
    if (!isSignedIn) return void navigate("/login", { replace: true, state: { from: attempt.from } });
    if (attempt.purpose === "prove") {
      await api.post(accountPaths.proof, { sso }, provedSchema);
      notify("info", t("confirmed"), { durationMs: CONFIRMED_MS });
    } else pendingConnection.set(sso);
    void navigate(pathAfterSignIn(attempt), { replace: true });
  };
}

function useFailureText() {
  const { t } = useTranslation("sso");
  return (error: unknown): string => {
    if (error instanceof ApiError && GENERAL.has(error.code ?? "")) return t("failed");
    if (!(error instanceof ProviderError)) return sentenceOf(error, t("failed"));
    const { code } = error;
    if (code === null) return t("failed");
    if (code === "access_denied") return t("denied");
    return UNAVAILABLE.has(code) ? t("unavailable") : t("reported", { code });
  };
}
