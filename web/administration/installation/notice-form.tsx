import { useTranslation } from "react-i18next";
import { NOTICE_MAX } from "#contract/administration/new-site-notice.ts";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { exactTime } from "../../locales/times.ts";
import { NoticeStrip } from "../../notice/notice-strip.tsx";
import { NoticeText } from "../../notice/notice-text.tsx";
import { siteNoticeQuery } from "../../notice/site-notice-query.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { TextArea } from "../../ui/components/fields/text-area.tsx";
import { useNoticeForm } from "./use-notice-form.ts";

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

function LoadedForm({ notice, onChanged }: LoadedFormProps) {
  const { t } = useTranslation("installation");
  const form = useNoticeForm(notice, onChanged);
  const { text, until, errors, preview, edit, busy, isEdited } = form;
  return (
    <form
      noValidate
      className="flex flex-col gap-4 p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <FailureBanner failure={form.failure} />
      <TextArea
        label={t("notice.text")}
        limit={NOTICE_MAX}
        rows={3}
        value={text}
        error={errors?.text}
        onChange={({ target }) => edit({ text: target.value })}
      />
      <Field
        label={t("notice.until")}
        hint={t("notice.untilHint")}
        type="datetime-local"
        value={until}
        error={errors?.until}
        onChange={({ target }) => edit({ until: target.value })}
        className="sm:max-w-72"
      />
      {preview !== null && <NoticePreview text={preview} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-48 text-muted text-sm">
          {form.confirmation === null && <NoticeState notice={notice} />}
          <FormStatus text={form.confirmation} />
        </div>
        <div className="ms-auto flex flex-wrap justify-end gap-3">
          {notice !== null && (
            <Button
              variant="quiet"
              busy={busy === "remove"}
              aria-disabled={busy !== null || undefined}
              onClick={() => void form.remove()}
            >
              {t("notice.remove")}
            </Button>
          )}
          <Button
            type="submit"
            variant={isEdited ? "primary" : "secondary"}
            busy={busy === "show"}
            aria-disabled={!isEdited || busy !== null || undefined}
          >
            {t(busy === "show" ? "notice.showing" : "notice.show")}
          </Button>
        </div>
      </div>
    </form>
  );
}

function NoticePreview({ text }: { text: string }) {
  const { t } = useTranslation("installation");
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{t("notice.preview")}</p>
      {/* Only its author sees it: screen readers do not announce it at each key press. */}
      <div aria-live="off" className="overflow-hidden rounded-control border border-accent/35 border-b-0">
        <NoticeStrip>
          <NoticeText text={text} />
        </NoticeStrip>
      </div>
    </div>
  );
}

/** Sentence whether a notice is shown now, and until when. */
function NoticeState({ notice }: Pick<LoadedFormProps, "notice">) {
  const { t, i18n } = useTranslation("installation");
  if (notice === null) return t("notice.none");
  if (notice.until === undefined) return t("notice.current");
  return t("notice.currentUntil", { time: exactTime(notice.until, i18n.language) });
}
