import { useEffect, useState } from "react";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import { MINUTE } from "#contract/limits.ts";
import { useQuery } from "../queries/use-query.ts";
import { StoredText } from "../storage/stored-text.ts";
import { useStore } from "../store/use-store.ts";
import { siteNoticeQuery } from "./site-notice-query.ts";

/** Interval of the reads while the page is visible. */
export const NOTICE_POLL_MS = MINUTE;
/** The longest delay of a browser's timer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Id of the notice that was dismissed last in this browser. */
const dismissed = new StoredText("parley.dismissed-notice", "A dismissed notice");

type ShownNotice = {
  /** Vanishes at its end; null if there is none or it was dismissed in this browser. */
  notice: SiteNotice | null;
  dismiss: () => void;
};

/** Returns the notice to show. */
export function useSiteNotice(): ShownNotice {
  const { value, reload } = useQuery(siteNoticeQuery);
  const dismissedId = useStore(dismissed);
  const notice = value?.notice ?? null;
  const hasEnded = useHasEnded(notice?.until);
  useEffect(() => {
    const poll = () => {
      if (document.visibilityState === "visible") void reload();
    };
    const timer = setInterval(poll, NOTICE_POLL_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const isShown = notice !== null && notice.id !== dismissedId && !hasEnded;
  return { notice: isShown ? notice : null, dismiss: () => notice && dismissed.set(notice.id) };
}

/** Returns whether a time (Unix time in ms) has come; renders again when it comes. */
function useHasEnded(until: number | undefined): boolean {
  const [ended, setEnded] = useState<number>();
  useEffect(() => {
    if (until === undefined) return;
    const waitMs = Math.min(Math.max(0, until - Date.now()), TIMER_MAX_MS);
    const timer = setTimeout(() => setEnded(until), waitMs);
    return () => clearTimeout(timer);
  }, [until]);
  return until !== undefined && ended === until;
}
