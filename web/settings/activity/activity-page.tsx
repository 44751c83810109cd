import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { LinesLoading } from "../lines-loading.tsx";
import { LoadFailure } from "../load-failure.tsx";
import { ShowMore } from "../show-more.tsx";
import { useMinute } from "../time-ago.tsx";
import { useFocusRendered } from "../use-focus-rendered.ts";
import { groupEventsByDay } from "./by-day.ts";
import { EventLine } from "./event-line.tsx";
import { useSecurityLog } from "./use-security-log.ts";

const recordsModule = lazyModule(() => import("./own-records.tsx"));

const lists = ["log", "records"] as const;
type ListName = (typeof lists)[number];

/** The security log, or the records of what administrators did. */
export function ActivityPage() {
  const { t } = useTranslation("settings");
  const [list, setList] = useState<ListName>("log");
  const records = useLazyModule(recordsModule, list === "records", () => setList("log"));
  return (
    <>
      <div className="mt-6 flex flex-wrap gap-2">
        {lists.map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === list ? "secondary" : "quiet"}
            aria-pressed={each === list}
            onClick={() => setList(each)}
          >
            {t(`activity.shown.${each}`)}
          </Button>
        ))}
      </div>
      <div className="mt-6">
        {list === "log" && <SecurityLog />}
        {list === "records" && (records ? <records.default /> : <LinesLoading lines={3} />)}
      </div>
    </>
  );
}

function SecurityLog() {
  const { t, i18n } = useTranslation("settings");
  const { newest, events, hasMore, showMore, more } = useSecurityLog();
  const now = useMinute();
  const days = useMemo(() => {
    const words = { today: t("activity.today"), yesterday: t("activity.yesterday") };
    return groupEventsByDay(events, now, words, i18n.language);
  }, [events, now, t, i18n.language]);

  const focusRendered = useFocusRendered();
  const goOn = async () => {
    const id = await showMore();
    if (id !== null) focusRendered(id);
  };

  return (
    <>
      {newest.error !== null && <LoadFailure error={newest.error} onRetry={newest.reload} />}
      {newest.value === null && newest.error === null && <LinesLoading lines={5} />}
      {newest.value !== null && events.length === 0 && <Empty />}
      {days.map(({ label, events: entries }) => (
        <section
          key={label}
          aria-label={label}
          className="gap-x-6 border-hairline border-t pt-4 pb-2 sm:grid sm:grid-cols-[8rem_minmax(0,1fr)]"
        >
          <h2 className="py-2 font-medium text-sm">{label}</h2>
          <ul>
            {entries.map((event) => (
              <EventLine key={event.id} event={event} />
            ))}
          </ul>
        </section>
      ))}
      <ShowMore
        hasMore={hasMore}
        more={more}
        labels={{ idle: t("activity.more"), busy: t("activity.loadingMore") }}
        onShow={() => void goOn()}
      />
    </>
  );
}

function Empty() {
  const { t } = useTranslation("settings");
  return (
    <EmptyState
      title={t("activity.empty")}
      text={t("activity.emptyText")}
      className="rounded-surface border border-hairline border-dashed px-6 py-10"
    />
  );
}
