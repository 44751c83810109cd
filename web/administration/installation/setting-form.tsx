import { Lock } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type InstallationSettingsAnswer, settingVariables } from "#contract/administration/installation.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { SettingControl } from "./setting-control.tsx";
import { changeOf, type DraftProblem, draftOf, type FormSetting } from "./setting-drafts.ts";
import type { Installation } from "./use-installation.ts";

type SettingFormProps = {
  name: FormSetting;
  settings: InstallationSettingsAnswer;
  /** Whether the person may not change settings. */
  isReadOnly: boolean;
  onSave: Installation["save"];
};

/** Form of one setting: its control, where its value comes from, and buttons that save and reset it. */
export function SettingForm({ name, settings, isReadOnly, onSave }: SettingFormProps) {
  const { t } = useTranslation("installation");
  const { run, busy, failure } = useAction<"save" | "reset">();
  const form = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const stored = draftOf(name, settings);
  const draft = edited ?? stored;
  const checked = changeOf(name, draft);
  const problem = "problem" in checked ? checked.problem : null;
  const isFixed = settings[name].source === "environment";
  const isChanged = draft !== stored;
  const setting = t(`settings.${name}`);
  const save = () => {
    setChecked(true);
    if ("problem" in checked) {
      form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
      return;
    }
    void run("save", async () => {
      await onSave(name, checked.change);
      setEdited(null);
      setChecked(false);
    });
  };
  const reset = () =>
    run("reset", async () => {
      await onSave(name, { [name]: null });
      setEdited(null);
    });
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4 p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && busy === null) save();
      }}
    >
      <FailureBanner failure={failure} />
      <SettingControl
        name={name}
        draft={draft}
        error={isChecked && problem ? t(`problem.${problem.rule}`, maxOf(problem)) : undefined}
        isReadOnly={isReadOnly || isFixed}
        onChange={setEdited}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <SourceLine name={name} settings={settings} />
        {!isReadOnly && !isFixed && (
          <div className="ms-auto flex flex-wrap justify-end gap-3">
            {settings[name].source === "database" && (
              <Button
                variant="quiet"
                aria-label={t("resetLabel", { setting })}
                busy={busy === "reset"}
                aria-disabled={busy !== null || undefined}
                onClick={() => void reset()}
              >
                {t("reset")}
              </Button>
            )}
            <Button
              type="submit"
              variant={isChanged ? "primary" : "secondary"}
              aria-label={t("saveLabel", { setting })}
              busy={busy === "save"}
              aria-disabled={!isChanged || busy !== null || undefined}
            >
              {t(busy === "save" ? "saving" : "save")}
            </Button>
          </div>
        )}
      </div>
    </form>
  );
}

const maxOf = ({ max }: DraftProblem) => ({ max });

function SourceLine({ name, settings }: Pick<SettingFormProps, "name" | "settings">) {
  const { t } = useTranslation("installation");
  const { source, changedAt } = settings[name];
  if (source === "environment") {
    return (
      <p className="flex min-w-0 items-start gap-1.5 text-muted text-sm">
        <Lock aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
        <span className="min-w-0 break-words">{t("source.environment", { variable: settingVariables[name] })}</span>
      </p>
    );
  }
  if (source === "default" || changedAt === undefined) {
    return <p className="text-muted text-sm">{t("source.default")}</p>;
  }
  return (
    <p className="text-muted text-sm">
      <TimeAgo at={changedAt} sentence={(time) => t("source.database", { time })} />
    </p>
  );
}
