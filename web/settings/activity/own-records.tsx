/** Lazy module of the records about the own account, with the texts that name records. */

import { useTranslation } from "react-i18next";
import { AUDIT_PAGE, type OwnAudit, ownAuditSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { api } from "../../api/client.ts";
import administration from "../../locales/en/administration.json";
import records from "../../locales/en/records.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { type ListPage, usePages } from "../../queries/use-pages.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { useRecordWords } from "./use-record-words.ts";

registerTexts("administration", administration);
registerTexts("records", records);

type OwnRecord = OwnAudit["entries"][number];

const lineId = (seq: number) => `own-record-${seq}`;

async function readOwn(before: string | undefined, signal: AbortSignal): Promise<ListPage<OwnRecord, null>> {
  const query = before === undefined ? "" : `?${new URLSearchParams({ before })}`;
  const { entries } = await api.get(`${administrationPaths.ownAudit}${query}`, ownAuditSchema, { signal });
  const last = entries.length === AUDIT_PAGE ? entries.at(-1)?.seq : undefined;
  return { items: entries, next: last?.toString(), extra: null };
}

/** What administrators did to the own account, newest first. */
export default function OwnRecords() {
  const { t } = useTranslation(["records", "settings"]);
  const { page, error, reload, showMore, more } = usePages(readOwn);
  const entries = page?.items ?? [];
  const focusRendered = useFocusRendered();
  const goOn = async () => {
    const added = await showMore();
    const seq = added?.seq ?? entries.at(-1)?.seq;
    if (seq !== undefined) focusRendered(lineId(seq));
  };
  return (
    <>
      {error !== null && <LoadFailure error={error} onRetry={reload} className="m-4 sm:m-5" />}
      {page === null && error === null && <LinesLoading lines={3} />}
      {page !== null && entries.length === 0 && (
        <EmptyState title={t("empty")} text={t("emptyText")} className="px-6 py-10" />
      )}
      {entries.length > 0 && (
        <>
          <p className="px-4 pt-4 text-pretty text-muted text-sm leading-text sm:px-5">{t("text")}</p>
          <ul className="divide-y divide-hairline">
            {entries.map((entry) => (
              <RecordLine key={entry.seq} entry={entry} />
            ))}
          </ul>
        </>
      )}
      <div className="px-4 pb-4 empty:hidden sm:px-5">
        <ShowMore
          hasMore={page?.next !== undefined}
          more={more}
          labels={{ idle: t("settings:activity.more"), busy: t("settings:activity.loadingMore") }}
          onShow={() => void goOn()}
        />
      </div>
    </>
  );
}

function RecordLine({ entry }: { entry: OwnRecord }) {
  const { t } = useTranslation("records");
  const { kindOf, changesOf } = useRecordWords();
  const { seq, at, actor } = entry;
  const by = actor === null ? "server" : actor.isOwn ? "you" : (actor.role ?? "gone");
  return (
    <li id={lineId(seq)} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="break-words font-medium">{kindOf(entry)}</p>
        {changesOf(entry).map((change) => (
          <p key={change} className="mt-0.5 break-words text-muted">
            {change}
          </p>
        ))}
        <p className="mt-0.5 text-muted">{t(`by.${by}`)}</p>
      </div>
      <p className="shrink-0 text-muted text-sm tabular-nums">
        <TimeAgo at={at} sentence={(time) => time} />
      </p>
    </li>
  );
}
