import { useCallback, useState } from "react";
import { AUDIT_PAGE } from "#contract/administration/administration.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { DEBOUNCE_MS, usePages } from "../../queries/use-pages.ts";
import { useDebounced } from "../../ui/use-debounced.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { type AuditFilter, administrationApi } from "../administration-api.ts";
import { auditLineId } from "./audit-line.tsx";

export type AuditWords = Pick<AuditFilter, "q" | "kind">;

/** The listed records, with their filter. */
export type AuditList = ReturnType<typeof useAuditList>;

/**
 * Lists the records page by page. `account` of the address limits them to those about one account. The list
 * follows `words` after a debounce. `save`: saves the listed records as a file.
 */
export function useAuditList() {
  const [address, setAddress] = useSearchParams();
  const account = address.get("account");
  const [words, setWords] = useState<AuditWords>({ q: "", kind: null });
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
  const focusRendered = useFocusRendered();
  const goOn = async () => {
    const added = await showMore();
    const seq = added?.seq ?? page?.items.at(-1)?.seq;
    if (seq !== undefined) focusRendered(auditLineId(seq));
  };
  return {
    account,
    clearAccount: () => setAddress({}),
    words,
    setWords,
    page,
    isStale,
    error,
    reload,
    more,
    goOn,
    save: () => administrationApi.saveAudit({ ...settled, account }),
  };
}
