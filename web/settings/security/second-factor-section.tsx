import { TriangleAlert } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SecondFactor } from "#contract/accounts/second-factor.ts";
import { CodeForm } from "../../accounts/second-factor/code-form.tsx";
import { RecoveryCodes } from "../../accounts/second-factor/recovery-codes.tsx";
import type { TotpSetUpProps } from "../../accounts/second-factor/totp-set-up.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { exactTime, longDate } from "../../locales/times.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { type SecondFactorProps, setUpCalls, useSecondFactor } from "./use-second-factor.ts";

const setUpModule = lazyModule(async () => (await import("../../accounts/second-factor/totp-set-up.tsx")).default);

/** Recovery codes left from which the section warns. */
export const FEW_CODES = 3;

/** Second factor of the account: switched on and off, with its recovery codes and the remembered browsers. */
export function SecondFactorSection(props: SecondFactorProps) {
  const { t } = useTranslation("secondFactor");
  const heading = useRef<HTMLHeadingElement>(null);
  const { secondFactor, needsSecondFactor } = props.details;
  const state = useSecondFactor(props, heading);
  const { step, failure, confirmation } = state;
  return (
    <Section title={t("title")} text={t(secondFactor ? "textOn" : "textOff")} headingRef={heading}>
      {failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
      {step !== null && <Step {...state} />}
      {step === null && secondFactor === null && (
        <Row title={t("off")} text={needsSecondFactor ? t("neededSoon") : undefined}>
          <Button
            variant="secondary"
            size="small"
            busy={state.busy === "set-up"}
            aria-disabled={state.busy !== null || undefined}
            onClick={state.begin}
          >
            {t("setUp")}
          </Button>
        </Row>
      )}
      {step === null && secondFactor !== null && (
        <Rows secondFactor={secondFactor} needsSecondFactor={needsSecondFactor} {...state} />
      )}
      <FormStatusLine text={confirmation} />
    </Section>
  );
}

type State = ReturnType<typeof useSecondFactor>;

/** The open step of a change. */
function Step({ step, close, finish, renew, switchOff }: State) {
  const { t } = useTranslation("secondFactor");
  const cancel = () => close();
  if (step?.kind === "set-up")
    return <SetUp enrolment={step.enrolment} calls={setUpCalls} onDone={finish} onCancel={cancel} />;
  if (step?.kind === "codes")
    return <RecoveryCodes codes={step.codes} onDone={() => close(t(step.isRenewal ? "renewed" : "switchedOn"))} />;
  const isRenewal = step?.kind === "renew";
  return (
    <CodeForm
      label={t("code")}
      hint={t("codeHint")}
      submit={t(isRenewal ? "renew" : "switchOff")}
      submitting={t(isRenewal ? "renewing" : "switchingOff")}
      variant={isRenewal ? "primary" : "danger"}
      onSend={isRenewal ? renew : switchOff}
      onCancel={cancel}
    >
      <p className="text-pretty text-sm leading-text">{t(isRenewal ? "renewText" : "switchOffText")}</p>
    </CodeForm>
  );
}

function SetUp(props: TotpSetUpProps) {
  const TotpSetUp = useLazyModule(setUpModule, true, props.onCancel);
  return TotpSetUp ? <TotpSetUp {...props} /> : <LinesLoading lines={3} />;
}

type RowsProps = State & { secondFactor: SecondFactor; needsSecondFactor: boolean };

function Rows({ secondFactor, needsSecondFactor, open, forget, keep, busy }: RowsProps) {
  const { t, i18n } = useTranslation("secondFactor");
  const { createdAt, lastUsedAt, recoveryCodesLeft: count, rememberedBrowsers, endsAt } = secondFactor;
  return (
    <div className="divide-y divide-hairline">
      {endsAt !== null && (
        <Row title={t("ends")} text={<Warning>{t("endsText", { time: exactTime(endsAt, i18n.language) })}</Warning>}>
          <Button
            size="small"
            busy={busy === "keep"}
            aria-disabled={busy !== null || undefined}
            onClick={() => busy === null && keep()}
          >
            {t("keep")}
          </Button>
        </Row>
      )}
      <Row
        title={t("app")}
        text={
          <>
            {t("since", { date: longDate(createdAt, i18n.language) })} <LastUse at={lastUsedAt} />{" "}
            {needsSecondFactor && t("needed")}
          </>
        }
      >
        {!needsSecondFactor && (
          <Button variant="dangerous" size="small" onClick={() => open({ kind: "switch-off" })}>
            {t("switchOff")}
          </Button>
        )}
      </Row>
      <Row title={t("recoveryCodes")} text={<CodesLeft count={count} />}>
        <Button variant="secondary" size="small" onClick={() => open({ kind: "renew" })}>
          {t("renew")}
        </Button>
      </Row>
      {rememberedBrowsers > 0 && (
        <Row title={t("remembered")} text={t("rememberedCount", { count: rememberedBrowsers })}>
          <Button
            variant="secondary"
            size="small"
            busy={busy === "forget"}
            aria-disabled={busy !== null || undefined}
            onClick={forget}
          >
            {t("forget")}
          </Button>
        </Row>
      )}
    </div>
  );
}

/** Sentence on the last sign-in by a code of the app. */
export function LastUse({ at }: { at: number | null }) {
  const { t } = useTranslation("secondFactor");
  return at === null ? t("neverUsed") : <TimeAgo at={at} sentence={(time) => t("lastUsed", { time })} />;
}

function CodesLeft({ count }: { count: number }) {
  const { t } = useTranslation("secondFactor");
  if (count === 0) return <Warning>{t("codesNone")}</Warning>;
  if (count > FEW_CODES) return t("codesLeft", { count });
  return (
    <Warning>
      {t("codesLeft", { count })} {t("codesFew")}
    </Warning>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1.5 text-warning">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </span>
  );
}
