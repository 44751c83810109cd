import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { AUDIT_PAGE } from "#contract/administration/administration.ts";
import { auditKinds } from "#contract/administration/audit.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { DEBOUNCE_MS, usePages } from "../../queries/use-pages.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { Field } from "../../ui/components/field.tsx";
import { SelectField } from "../../ui/components/select-field.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { type AuditFilter, administrationApi } from "../administration-api.ts";
import { CsvButton } from "../csv-button.tsx";
import { actsOf } from "./acts.ts";
import { AuditLine, auditLineId } from "./audit-line.tsx";
import { useUndo } from "./use-undo.ts";

/** Records of administration, newest first. `?account=ID` in the address shows those about one account. */
export function AuditPage() {
  const { t } = useTranslation("administration");
  const [address, setAddress] = useSearchParams();
  const account = address.get("account");
  const [words, setWords] = useState<Pick<AuditFilter, "q" | "kind">>({ q: "", kind: null });
  const settled = useDebounced(words, DEBOUNCE_MS);
  const read = useCallback(
    async (before: string | undefined, signal: AbortSignal) => {
      const {
        entries,
        groups = [],
        invitations = [],
        isPartial,
      } = await administrationApi.readAudit({ ...settled, account }, before, signal);
      const last = entries.length === AUDIT_PAGE ? entries.at(-1)?.seq : undefined;
      const named = entries.map((entry) => ({ ...entry, groups, invitations, page: before }));
      return { items: named, next: last?.toString(), extra: isPartial === true };
    },
    [settled, account],
  );
  const { page, isStale, error, reload, showMore, more } = usePages(read);
  const undo = useUndo(reload);
  const entries = page?.items ?? [];

  const focusRendered = useFocusRendered();
  const goOn = async () => {
    const added = await showMore();
    const seq = added?.seq ?? entries.at(-1)?.seq;
    if (seq !== undefined) focusRendered(auditLineId(seq));
  };

  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("audit.text")}</p>
      <search className="mt-6 grid gap-4 sm:grid-cols-2">
        <Field
          label={t("audit.search")}
          type="search"
          placeholder={t("people.searchHint")}
          value={words.q}
          onChange={(event) => setWords({ ...words, q: event.target.value })}
        />
        <SelectField
          label={t("audit.kind")}
          value={words.kind ?? ""}
          onChange={({ target }) =>
            setWords({ ...words, kind: auditKinds.find((kind) => kind === target.value) ?? null })
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
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
        {account === null ? (
          <span />
        ) : (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            {t("audit.account")}
            <Button variant="quiet" size="small" onClick={() => setAddress({})}>
              {t("audit.clearAccount")}
            </Button>
          </p>
        )}
        <CsvButton label={t("audit.csv")} save={() => administrationApi.saveAudit({ ...settled, account })} />
      </div>
      <p role="status" className="mt-2 text-muted text-sm">
        {page?.extra && t("audit.isPartial")}
      </p>
      <FailureBanner failure={undo.failure} className="mt-2" />
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
