import { Download } from "lucide-react";
import { useCallback, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { AUDIT_PAGE } from "#contract/administration.ts";
import { auditKinds } from "#contract/audit.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../settings/form/use-action.ts";
import { LinesLoading } from "../../settings/lines-loading.tsx";
import { LoadFailure } from "../../settings/load-failure.tsx";
import { withProof } from "../../settings/proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { Field } from "../../ui/components/field.tsx";
import { Select } from "../../ui/components/select.tsx";
import { type AuditFilter, administrationApi } from "../administration-api.ts";
import { ShowMore } from "../show-more.tsx";
import { useDebounced } from "../use-debounced.ts";
import { usePages } from "../use-pages.ts";
import { AuditLine, auditLineId } from "./audit-line.tsx";

/** Records of administration, newest first. `?account=ID` in the address shows those about one account. */
export function AuditPage() {
  const { t } = useTranslation("administration");
  const [address, setAddress] = useSearchParams();
  const account = address.get("account");
  const [words, setWords] = useState<Pick<AuditFilter, "q" | "kind">>({ q: "", kind: null });
  const settled = useDebounced(words);
  const read = useCallback(
    async (before: string | undefined, signal: AbortSignal) => {
      const { entries, isPartial } = await administrationApi.readAudit({ ...settled, account }, before, signal);
      const last = entries.length === AUDIT_PAGE ? entries.at(-1)?.seq : undefined;
      return { items: entries, next: last?.toString(), extra: isPartial === true };
    },
    [settled, account],
  );
  const { page, isStale, error, reload, showMore, more } = usePages(read);
  const csv = useAction<"csv">();
  const kindId = useId();
  const entries = page?.items ?? [];

  /** Line that takes the focus once more lines are rendered, because the button may be removed. */
  const [goOnAt, setGoOnAt] = useState<{ seq: number } | null>(null);
  useEffect(() => {
    if (goOnAt !== null) document.getElementById(auditLineId(goOnAt.seq))?.focus();
  }, [goOnAt]);
  const goOn = async () => {
    const added = await showMore();
    const seq = added?.seq ?? entries.at(-1)?.seq;
    if (seq !== undefined) setGoOnAt({ seq });
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
        <div>
          <label htmlFor={kindId} className="mb-1.5 block font-medium text-sm">
            {t("audit.kind")}
          </label>
          <Select
            id={kindId}
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
          </Select>
        </div>
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
        <Button
          variant="secondary"
          size="small"
          busy={csv.busy !== null}
          onClick={() =>
            void csv.run("csv", () => withProof(() => administrationApi.saveAudit({ ...settled, account })))
          }
        >
          {csv.busy === null && <Download aria-hidden="true" className="size-4" />}
          {t("audit.csv")}
        </Button>
      </div>
      <FailureBanner failure={csv.failure} className="mt-3" />
      <p role="status" className="mt-2 text-muted text-sm">
        {page?.extra && t("audit.isPartial")}
      </p>
      {error !== null && <LoadFailure error={error} onRetry={reload} />}
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
          {entries.map((entry) => (
            <AuditLine key={entry.seq} entry={entry} />
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
