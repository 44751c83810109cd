import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { useMinute } from "../../page/time-ago.tsx";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { groupEventsByDay } from "./by-day.ts";
import { EventLine } from "./event-line.tsx";
import { useSecurityLog } from "./use-security-log.ts";

const recordsModule = lazyModule(() => import("./own-records.tsx"));

const lists = ["log", "records"] as const;
type ListName = (typeof lists)[number];

/** The security log, or the records of what administrators did. */
export default function ActivitySection() {
  const { t } = useTranslation("settings");
  const [list, setList] = useState<ListName>("log");
  const records = useLazyModule(recordsModule, list === "records", () => setList("log"));
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== "#activity") return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <Section
      title={t("activity.title")}
      text={t("activity.text")}
      headingRef={heading}
      action={
        <div className="flex flex-wrap gap-1">
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
      }
    >
      {list === "log" && <SecurityLog />}
      {list === "records" && (records ? <records.default /> : <LinesLoading lines={3} />)}
    </Section>
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
      {newest.error !== null && <LoadFailure error={newest.error} onRetry={newest.reload} className="m-4 sm:m-5" />}
      {newest.value === null && newest.error === null && <LinesLoading lines={5} />}
      {newest.value !== null && events.length === 0 && <Empty />}
      {days.map(({ label, events: entries }) => (
        <section
          key={label}
          aria-label={label}
          className="gap-x-6 border-hairline px-4 pt-3 pb-1 not-first:border-t sm:grid sm:grid-cols-[7rem_minmax(0,1fr)] sm:px-5"
        >
          <h3 className="py-2 font-medium text-sm">{label}</h3>
          <ul>
            {entries.map((event) => (
              <EventLine key={event.id} event={event} />
            ))}
          </ul>
        </section>
      ))}
      <div className="px-4 pb-4 empty:hidden sm:px-5">
        <ShowMore
          hasMore={hasMore}
          more={more}
          labels={{ idle: t("activity.more"), busy: t("activity.loadingMore") }}
          onShow={() => void goOn()}
        />
      </div>
    </>
  );
}

function Empty() {
  const { t } = useTranslation("settings");
  return <EmptyState title={t("activity.empty")} text={t("activity.emptyText")} className="px-6 py-10" />;
}
