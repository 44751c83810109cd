import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountDetails } from "#contract/accounts/account-settings.ts";
import type { SecondFactor, TotpEnrolment } from "#contract/accounts/second-factor.ts";
import type { TotpSetUpCalls } from "../../accounts/second-factor/totp-set-up.tsx";
import { FACTOR_ENDS } from "../../accounts/session/factor-ends-notice.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { closeNotificationOf } from "../../ui/notifications/notify.ts";
import { secondFactorApi } from "./second-factor-api.ts";

export type SecondFactorProps = {
  details: AccountDetails;
  /** Called after a change. */
  onChange: (secondFactor: SecondFactor | null) => void;
};

/** Step in which the section is, instead of its rows. */
export type SecondFactorStep =
  | { kind: "set-up"; enrolment: TotpEnrolment }
  | { kind: "codes"; codes: readonly string[]; isRenewal: boolean }
  | { kind: "renew" | "switch-off" };

export const setUpCalls: TotpSetUpCalls = {
  begin: () => withProof(secondFactorApi.beginEnrolment),
  confirm: async (request) => (await withProof(() => secondFactorApi.confirmEnrolment(request))).recoveryCodes,
};

/** State of the section. `heading` takes the focus when a step closes: the focused button is removed. */
export function useSecondFactor(
  { details: { secondFactor }, onChange }: SecondFactorProps,
  heading: RefObject<HTMLElement | null>,
) {
  const { t } = useTranslation("secondFactor");
  const { run, busy, failure } = useAction<"set-up" | "forget" | "keep">();
  const [step, setStep] = useState<SecondFactorStep | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);

  const open = (next: SecondFactorStep) => {
    setConfirmation(null);
    setStep(next);
  };
  const close = (text: string | null = null) => {
    heading.current?.focus({ preventScroll: true });
    setStep(null);
    setConfirmation(text);
  };
  const changeTo = (changes: Partial<SecondFactor>) => secondFactor && onChange({ ...secondFactor, ...changes });

  const begin = () =>
    run("set-up", async () => {
      setConfirmation(null);
      open({ kind: "set-up", enrolment: await setUpCalls.begin() });
    });
  const finish = (codes: readonly string[]) => {
    open({ kind: "codes", codes, isRenewal: false });
    const unused = { lastUsedAt: null, rememberedBrowsers: 0, endsAt: null };
    onChange({ createdAt: Date.now(), recoveryCodesLeft: codes.length, ...unused });
  };
  const renew = async (code: string) => {
    const { recoveryCodes: codes } = await withProof(() => secondFactorApi.renewRecoveryCodes(code));
    open({ kind: "codes", codes, isRenewal: true });
    changeTo({ recoveryCodesLeft: codes.length });
  };
  const switchOff = async (code: string) => {
    await withProof(() => secondFactorApi.switchOff(code));
    close(t("switchedOff"));
    onChange(null);
  };
  const forget = () =>
    run("forget", async () => {
      setConfirmation(null);
      await withProof(secondFactorApi.endRememberedBrowsers);
      close(t("forgotten"));
      changeTo({ rememberedBrowsers: 0 });
    });
  const keep = () =>
    run("keep", async () => {
      setConfirmation(null);
      await secondFactorApi.stopLoss();
      closeNotificationOf(FACTOR_ENDS);
      close(t("lossStopped"));
      changeTo({ endsAt: null });
    });
  return { keep, step, open, close, begin, finish, renew, switchOff, forget, busy, failure, confirmation };
}
