/** Lazy module that sets up a required second factor at the sign-in, with its texts. */

import { useId } from "react";
import { useTranslation } from "react-i18next";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import secondFactorTexts from "../../locales/en/secondFactor.json";
import secondStepTexts from "../../locales/en/secondStep.json";
import settingsTexts from "../../locales/en/settings.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { PageHeading } from "../page-heading.tsx";
import { RecoveryCodes } from "../second-factor/recovery-codes.tsx";
import TotpSetUp from "../second-factor/totp-set-up.tsx";
import { closeSecondStep, type SecondStepProps } from "./second-step.ts";
import { useSetUpStep } from "./use-set-up-step.ts";

registerTexts("secondStep", secondStepTexts);
registerTexts("secondFactor", secondFactorTexts);
// The sentence for an error without an answer of the server.
registerTexts("settings", settingsTexts);

/** Leads through the set-up of an authenticator app, and shows the recovery codes. */
export default function SetUpScreen(props: SecondStepProps) {
  const { t } = useTranslation(["secondStep", "app"]);
  const { state, begin, isBeginning, failure, calls } = useSetUpStep(props);
  const titleId = useId();
  return (
    <AccountLayout isTall>
      <PageHeading id={titleId} title={t("setUp.title")}>
        {t(state.kind === "codes" ? "setUp.done" : "setUp.text")}
      </PageHeading>
      {state.kind === "begin" && (
        <div className="flex flex-col gap-2">
          <Button
            size="large"
            busy={isBeginning}
            aria-disabled={isBeginning || undefined}
            className="w-full"
            onClick={begin}
          >
            {t("setUp.begin")}
          </Button>
          <Button variant="quiet" size="large" className="w-full" onClick={closeSecondStep}>
            {t("app:cancel")}
          </Button>
          <FailureBanner failure={failure} />
        </div>
      )}
      {state.kind !== "begin" && (
        <section aria-labelledby={titleId} className="-mt-2 rounded-surface border border-hairline bg-raised">
          {state.kind === "set-up" && (
            <TotpSetUp enrolment={state.enrolment} calls={calls} onDone={() => undefined} onCancel={closeSecondStep} />
          )}
          {state.kind === "codes" && <RecoveryCodes codes={state.codes} onDone={closeSecondStep} />}
        </section>
      )}
    </AccountLayout>
  );
}
