import type { ReactNode } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { type SetupState, type SetupStep, setupSteps } from "#contract/administration/setup.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import installation from "../../locales/en/installation.json";
import { registerTexts } from "../../locales/i18n.ts";
import { setupQuery } from "../../notice/setup-query.ts";
import { Badge } from "../../page/badge.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { installationApi } from "./installation-api.ts";
import { MailStep } from "./mail-step.tsx";
import { ProviderStep } from "./provider-step.tsx";
import type { FormSetting } from "./setting-drafts.ts";
import { SettingForm } from "./setting-form.tsx";
import { useInstallation } from "./use-installation.ts";

registerTexts("installation", installation);

/** First steps of an owner: each with its state and its form, or with what to do on the server. */
export function SetupPage() {
  const { t } = useTranslation("installation");
  const { value: setup, error, reload, change } = useQuery(setupQuery);
  const { run, busy, failure } = useAction<SetupStep | "dismiss">();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  if (error !== null) return <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />;
  if (setup === null) return <LinesLoading lines={5} />;
  const { steps, dismissedAt } = setup;
  const settledSteps = setupSteps.filter((step) => steps[step] !== "todo");
  const skip = (step: SetupStep, isSkipped: boolean) =>
    run(step, async () => {
      const skipped = setupSteps.filter((each) => (each === step ? isSkipped : steps[each] === "skipped"));
      change(await installationApi.changeSetup({ skipped }));
    });
  const dismiss = () =>
    run("dismiss", async () => {
      change(await installationApi.changeSetup({ isDismissed: true }));
      setConfirmation(t("setup.dismissed"));
    });
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("setup.text")}</p>
      <p role="status" className="mt-4 font-medium text-sm tabular-nums">
        {t("setup.progress", { done: settledSteps.length, all: setupSteps.length })}
      </p>
      <FailureBanner failure={failure} className="mt-4" />
      <ol className="mt-6 flex flex-col gap-4">
        {setupSteps.map((step, at) => (
          <SetupLine
            key={step}
            step={step}
            number={at + 1}
            state={steps[step]}
            isBusy={busy === step}
            onSkip={(isSkipped) => void skip(step, isSkipped)}
          >
            <StepContent step={step} state={steps[step]} onSaved={() => void reload()} />
          </SetupLine>
        ))}
      </ol>
      <MoveIn />
      <div className="mt-6 flex flex-wrap items-center justify-end gap-4">
        <FormStatus text={confirmation} />
        {dismissedAt === undefined && settledSteps.length < setupSteps.length && (
          <Button
            variant="quiet"
            busy={busy === "dismiss"}
            aria-disabled={busy !== null || undefined}
            onClick={() => void dismiss()}
          >
            {t("setup.dismiss")}
          </Button>
        )}
      </div>
    </>
  );
}

/** Link to the import of chats from other services. */
function MoveIn() {
  const { t } = useTranslation("installation");
  const { state }: { state: unknown } = useLocation();
  return (
    <p className="mt-6 text-pretty text-muted text-sm leading-text">
      {t("setup.moveIn")}{" "}
      <Link to="/settings/data#import" state={state} className={textLink}>
        {t("setup.moveInOpen")}
      </Link>
    </p>
  );
}

/** Steps whose default may be right: keeping it settles them. */
const stepsWithDefault: readonly SetupStep[] = ["name", "registration"];

const badgeTones = { done: "accent", todo: "warning", skipped: "plain" } as const;

type SetupLineProps = {
  step: SetupStep;
  number: number;
  state: SetupState;
  isBusy: boolean;
  onSkip: (isSkipped: boolean) => void;
  children: ReactNode;
};

function SetupLine({ step, number, state, isBusy, onSkip, children }: SetupLineProps) {
  const { t } = useTranslation("installation");
  const name = t(`setup.steps.${step}`);
  const isSkipped = state === "skipped";
  const hasDefault = stepsWithDefault.includes(step);
  const skipLabel = hasDefault ? t("setup.keepLabel", { step: name }) : t("setup.skipLabel", { step: name });
  return (
    <li className="rounded-surface border border-hairline bg-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-4 sm:px-5">
        <h2 className="min-w-0 flex-1 basis-40 font-semibold text-base">{`${number}. ${name}`}</h2>
        <Badge tone={badgeTones[state]}>{t(`setup.state.${isSkipped && hasDefault ? "kept" : state}`)}</Badge>
        {state !== "done" && (
          <Button
            variant="quiet"
            size="small"
            aria-label={isSkipped ? t("setup.unskipLabel", { step: name }) : skipLabel}
            busy={isBusy}
            aria-disabled={isBusy || undefined}
            onClick={() => onSkip(!isSkipped)}
          >
            {t(isSkipped ? "setup.unskip" : hasDefault ? "setup.keep" : "setup.skip")}
          </Button>
        )}
      </div>
      {isSkipped ? <div className="pb-4" /> : children}
    </li>
  );
}

const settingsOf: Partial<Record<SetupStep, readonly FormSetting[]>> = {
  name: ["productName"],
  registration: ["registration", "registrationDomains"],
};

function StepContent({ step, state, onSaved }: { step: SetupStep; state: SetupState; onSaved: () => void }) {
  const { t } = useTranslation("installation");
  const names = settingsOf[step];
  if (names) return <SettingForms names={names} onSaved={onSaved} />;
  if (step === "mail") return <MailStep isSet={state === "done"} />;
  if (step === "provider") return <ProviderStep isDone={state === "done"} onConnected={onSaved} />;
  if (step === "search") {
    const text = state === "done" ? t("setup.searchDone") : t("setup.searchText");
    return <LinkStep text={text} to="/administration/web-search" link={t("setup.searchOpen")} />;
  }
  return <LinkStep text={t("setup.peopleText")} to="/administration/invitations" link={t("setup.peopleOpen")} />;
}

function SettingForms({ names, onSaved }: { names: readonly FormSetting[]; onSaved: () => void }) {
  const { settings, error, reload, save } = useInstallation(onSaved);
  if (error !== null) {
    return (
      <div className="p-4 sm:p-5">
        <LoadFailure error={error} onRetry={reload} />
      </div>
    );
  }
  if (settings === null) return <LinesLoading lines={1} />;
  return (
    <div className="divide-y divide-hairline">
      {names.map((name) => (
        <SettingForm key={name} name={name} settings={settings} isReadOnly={false} onSave={save} />
      ))}
    </div>
  );
}

/** A step that is done on another page. */
function LinkStep({ text, to, link }: { text: string; to: string; link: string }) {
  const { state }: { state: unknown } = useLocation();
  return (
    <div className="flex flex-col items-start gap-2 px-4 pt-2 pb-4 text-sm sm:px-5">
      <p className="text-pretty break-words text-muted leading-text">{text}</p>
      <Link to={to} state={state} className={textLink}>
        {link}
      </Link>
    </div>
  );
}
