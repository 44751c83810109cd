import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NOTICE_MAX } from "#contract/administration/new-site-notice.ts";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import { exactTime } from "../../locales/times.ts";
import { NoticeStrip } from "../../notice/notice-strip.tsx";
import { NoticeText } from "../../notice/notice-text.tsx";
import { siteNoticeQuery } from "../../notice/site-notice-query.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/field.tsx";
import { TextArea } from "../../ui/components/text-area.tsx";
import { installationApi } from "./installation-api.ts";
import { fromLocalInput, toLocalInput } from "./local-input.ts";

/** Section in which administrators show a notice to everybody, and remove it. */
export function NoticeForm() {
  const { t } = useTranslation("installation");
  const { value, error, reload } = useQuery(siteNoticeQuery);
  return (
    <Section title={t("notice.title")} text={t("notice.about")}>
      {error !== null && (
        <div className="p-4 sm:p-5">
          <LoadFailure error={error} onRetry={() => void reload()} />
        </div>
      )}
      {value === null && error === null && <LinesLoading lines={1} />}
      {value !== null && <LoadedForm notice={value.notice} onChanged={reload} />}
    </Section>
  );
}

type LoadedFormProps = { notice: SiteNotice | null; onChanged: () => Promise<void> };
type Draft = { text: string; until: string };

const draftFrom = (notice: SiteNotice | null): Draft => ({
  text: notice?.text ?? "",
  until: notice?.until === undefined ? "" : toLocalInput(notice.until),
});

/** `onChanged` reads the notice again. */
function LoadedForm({ notice, onChanged }: LoadedFormProps) {
  const { t, i18n } = useTranslation("installation");
  const { run, busy, failure } = useAction<"show" | "remove">();
  const [edited, setEdited] = useState<Partial<Draft> | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const { text, until } = { ...draftFrom(notice), ...edited };
  const end = fromLocalInput(until);
  const problems = {
    text:
      text.trim() === "" ? t("notice.required") : tooLong(text) ? t("problem.tooLong", { max: NOTICE_MAX }) : undefined,
    until: end !== undefined && end <= Date.now() ? t("notice.past") : undefined,
  };
  const edit = (change: Partial<Draft>) => {
    setConfirmation(null);
    setEdited({ ...edited, ...change });
  };
  const finish = async (sentence: string) => {
    await onChanged();
    setEdited(null);
    setChecked(false);
    setConfirmation(sentence);
  };
  const show = () => {
    setChecked(true);
    if (problems.text ?? problems.until) return;
    void run("show", async () => {
      // A notice is replaced as a whole: the field that was not edited is the newest one of another administrator.
      const { notice: newest } = await installationApi.readNotice();
      const shown = newest ?? { text, until: end };
      const newEnd = edited?.until === undefined ? shown.until : end;
      const request = { text: edited?.text ?? shown.text, ...(newEnd !== undefined && { until: newEnd }) };
      await withProof(() => installationApi.showNotice(request));
      await finish(t("notice.shown"));
    });
  };
  const remove = () =>
    run("remove", async () => {
      await withProof(() => installationApi.removeNotice());
      await finish(t("notice.removed"));
    });
  const state =
    notice === null
      ? t("notice.none")
      : notice.until === undefined
        ? t("notice.current")
        : t("notice.currentUntil", { time: exactTime(notice.until, i18n.language) });
  return (
    <form
      noValidate
      className="flex flex-col gap-4 p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy === null && edited !== null) show();
      }}
    >
      <FailureBanner failure={failure} />
      <TextArea
        label={t("notice.text")}
        limit={NOTICE_MAX}
        rows={3}
        value={text}
        error={isChecked ? problems.text : undefined}
        onChange={({ target }) => edit({ text: target.value })}
      />
      <Field
        label={t("notice.until")}
        hint={t("notice.untilHint")}
        type="datetime-local"
        value={until}
        error={isChecked ? problems.until : undefined}
        onChange={({ target }) => edit({ until: target.value })}
        className="sm:max-w-72"
      />
      {text.trim() !== "" && !tooLong(text) && (
        <div>
          <p className="mb-1.5 font-medium text-sm">{t("notice.preview")}</p>
          {/* Only its author sees it: screen readers do not announce it at each key press. */}
          <div aria-live="off" className="overflow-hidden rounded-control border border-accent/35 border-b-0">
            <NoticeStrip>
              <NoticeText text={text.trim()} />
            </NoticeStrip>
          </div>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-48 text-muted text-sm">
          {confirmation === null && state}
          <FormStatus text={confirmation} />
        </div>
        <div className="ms-auto flex flex-wrap justify-end gap-3">
          {notice !== null && (
            <Button
              variant="quiet"
              busy={busy === "remove"}
              aria-disabled={busy !== null || undefined}
              onClick={() => void remove()}
            >
              {t("notice.remove")}
            </Button>
          )}
          <Button
            type="submit"
            variant={edited === null ? "secondary" : "primary"}
            busy={busy === "show"}
            aria-disabled={edited === null || busy !== null || undefined}
          >
            {t(busy === "show" ? "notice.showing" : "notice.show")}
          </Button>
        </div>
      </div>
    </form>
  );
}

const tooLong = (text: string) => text.trim().length > NOTICE_MAX;
