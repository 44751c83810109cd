import { useTranslation } from "react-i18next";
import { auditKinds } from "#contract/administration/audit.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { CsvButton } from "../csv-button.tsx";
import { actsOf } from "./acts.ts";
import { AuditLine } from "./audit-line.tsx";
import { type AuditList, type AuditWords, useAuditList } from "./use-audit-list.ts";
import { type Undo, useUndo } from "./use-undo.ts";

/** Records of administration, newest first. `?account=ID` in the address shows those about one account. */
export function AuditPage() {
  const { t } = useTranslation("administration");
  const list = useAuditList();
  const undo = useUndo(list.reload);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("audit.text")}</p>
      <WordFields words={list.words} onChange={list.setWords} />
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
        {list.account === null ? (
          <span />
        ) : (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            {t("audit.account")}
            <Button variant="quiet" size="small" onClick={list.clearAccount}>
              {t("audit.clearAccount")}
            </Button>
          </p>
        )}
        <CsvButton label={t("audit.csv")} save={list.save} />
      </div>
      <p role="status" className="mt-2 text-muted text-sm">
        {list.page?.extra && t("audit.isPartial")}
      </p>
      <FailureBanner failure={undo.failure} className="mt-2" />
      <AuditLines list={list} undo={undo} />
      <ConfirmDialog
        isOpen={undo.asked !== null}
        onOpenChange={(isOpen) => !isOpen && undo.answer(false)}
        title={t("audit.undoTitle")}
        description={t("audit.undoText")}
        confirmLabel={t("audit.undo")}
        onConfirm={() => undo.answer(true)}
      />
    </>
  );
}

type WordFieldsProps = { words: AuditWords; onChange: (words: AuditWords) => void };

/** Fields of the words and the kind of the records. */
function WordFields({ words, onChange }: WordFieldsProps) {
  const { t } = useTranslation("administration");
  return (
    <search className="mt-6 grid gap-4 sm:grid-cols-2">
      <Field
        label={t("audit.search")}
        type="search"
        placeholder={t("people.searchHint")}
        value={words.q}
        onChange={(event) => onChange({ ...words, q: event.target.value })}
      />
      <SelectField
        label={t("audit.kind")}
        value={words.kind ?? ""}
        onChange={({ target }) =>
          onChange({ ...words, kind: auditKinds.find((kind) => kind === target.value) ?? null })
        }
      >
        <option value="">{t("people.any")}</option>
        {auditKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`audit.kinds.${kind}`)}
          </option>
        ))}
      </SelectField>
    </search>
  );
}

function AuditLines({ list: { page, isStale, error, reload, more, goOn }, undo }: { list: AuditList; undo: Undo }) {
  const { t } = useTranslation("administration");
  const entries = page?.items ?? [];
  return (
    <>
      {error !== null && <LoadFailure error={error} onRetry={reload} className="mt-3" />}
      {page === null && error === null && <LinesLoading lines={6} />}
      {page !== null && entries.length === 0 && (
        <EmptyState
          title={t("audit.empty")}
          text={t("audit.emptyText")}
          className="mt-3 rounded-surface border border-hairline border-dashed px-6 py-10"
        />
      )}
      {entries.length > 0 && (
        <ul
          aria-busy={isStale}
          className={cx(
            "mt-3 divide-y divide-hairline rounded-surface border border-hairline bg-raised transition-opacity",
            isStale && "opacity-60",
          )}
        >
          {actsOf(entries).map((act) => (
            <AuditLine key={act[0]?.seq} act={act} undo={undo} />
          ))}
        </ul>
      )}
      <ShowMore
        hasMore={page?.next !== undefined}
        more={more}
        labels={{ idle: t("audit.more"), busy: t("audit.loadingMore") }}
        onShow={() => void goOn()}
      />
    </>
  );
}
