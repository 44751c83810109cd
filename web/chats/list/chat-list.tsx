import { EmptyState } from "../../ui/components/empty-state.tsx";
import "./chat-list.css";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { MINUTE } from "#contract/limits.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { organiserModule } from "../organiser-module.ts";
import {
  selectChats,
  selectFolders,
  selectHasMoreChats,
  selectHasNoChats,
  selectHistoryEnd,
  selectIsLoadingHistory,
  selectMarkedChat,
} from "../state/chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { loadHistory } from "../state/chats-thunks.ts";
import { groupByLocation } from "../state/group-by-location.ts";
import { ChatListEntry } from "./chat-list-entry.tsx";
import { groupChatsByDay } from "./day-groups.ts";
import { registerList } from "./list-elements.ts";
import { useTabStop } from "./tab-stop.ts";

export function ChatList({ onChosen }: { onChosen?: (() => void) | undefined }) {
  const { t } = useTranslation("chat");
  const chats = useChatsSelector(selectChats);
  const folders = useChatsSelector(selectFolders);
  const isLoading = useChatsSelector(selectIsLoadingHistory);
  const hasNone = useChatsSelector(selectHasNoChats);
  const marked = useChatsSelector(selectMarkedChat);
  const { pinned, filed, others } = useMemo(() => groupByLocation(chats, folders), [chats, folders]);
  const groups = useDayGroups(others);
  const parts = useLazyModule(organiserModule, folders.length > 0);
  const line = (chat: ChatListItem) => (
    <ChatListEntry key={chat.id} chat={chat} isCurrent={chat.id === marked} onChosen={onChosen} />
  );
  return (
    <div ref={registerList}>
      {isLoading && (
        <p role="status" className="px-4 py-2 text-muted text-sm">
          {t("sidebar.loading")}
        </p>
      )}
      {(pinned.length > 0 || others.length > 0 || folders.length > 0) && (
        <ChatGroup label={t("sidebar.pinned")} dropTarget="pinned" isEmpty={pinned.length === 0}>
          {pinned.map(line)}
        </ChatGroup>
      )}
      {parts ? (
        <parts.FolderList chatsOf={filed} line={line} />
      ) : (
        folders.length > 0 && <FolderRoom folders={folders} />
      )}
      {groups.map(({ label, chats: entries }) => (
        <ChatGroup key={label} label={label} dropTarget="days">
          {entries.map(line)}
        </ChatGroup>
      ))}
      {!isLoading && hasNone && <NoChats />}
      <MoreChats />
    </div>
  );
}

function NoChats() {
  const { t } = useTranslation("chat");
  const { pathname, search } = useLocation();
  const text = (
    <>
      {t("sidebar.empty")}{" "}
      <Link to="/settings/data#import" state={{ from: `${pathname}${search}` }} className={textLink}>
        {t("sidebar.moveIn")}
      </Link>
    </>
  );
  return <EmptyState text={text} className="px-4 py-10" />;
}

/** Placeholder with the height of the closed folders, which prevents a layout shift when they load. */
function FolderRoom({ folders }: { folders: readonly Folder[] }) {
  return (
    <div className="mt-3 first:mt-1">
      <div className="h-7" />
      {folders.map(({ id }) => (
        <div key={id} className="mt-px h-9" />
      ))}
    </div>
  );
}

type ChatGroupProps = { label: string; dropTarget: string; isEmpty?: boolean; children: ReactNode };

/** `dropTarget`: value of `data-drop`. An empty group is visible only while a chat is dragged, without a layout shift. */
function ChatGroup({ label, dropTarget, isEmpty = false, children }: ChatGroupProps) {
  return (
    <section
      aria-label={label}
      data-drop={dropTarget}
      className={cx("drop-place mt-3 rounded-control first:mt-1", isEmpty && "drop-place-empty")}
    >
      <h2 className="px-4 py-1.5 font-medium text-muted text-xs">{label}</h2>
      <ul className="flex flex-col gap-px">{children}</ul>
    </section>
  );
}

function useDayGroups(chats: readonly ChatListItem[]) {
  const { t, i18n } = useTranslation("chat");
  const now = useMinute();
  const locale = i18n.language;
  return useMemo(() => {
    const words = { today: t("days.today"), yesterday: t("days.yesterday"), week: t("days.week") };
    return groupChatsByDay(chats, now, words, locale);
  }, [chats, now, t, locale]);
}

/** Returns the time, updated each minute: a page that stays open over midnight moves its chats to yesterday. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Button for older chats. It loads them once automatically when it comes into view; a failure is retried by click. */
function MoreChats() {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  const hasMore = useChatsSelector(selectHasMoreChats);
  const isLoading = useChatsSelector(selectIsLoadingHistory);
  const button = useRef<HTMLButtonElement>(null);
  const end = useChatsSelector(selectHistoryEnd);
  const { tabIndex, onFocus } = useTabStop("older");
  // `historyEnd` of the last automatic request: if it is unchanged, that request failed.
  const tried = useRef<number | undefined>(undefined);
  const isWaiting = hasMore && !isLoading;
  useEffect(() => {
    const seen = button.current;
    if (!isWaiting || !seen || tried.current === end) return;
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      tried.current = end;
      void dispatch(loadHistory({ isNextPage: true }));
    });
    watcher.observe(seen);
    return () => watcher.disconnect();
  }, [isWaiting, end, dispatch]);
  if (!isWaiting) return null;
  return (
    <Button
      ref={button}
      variant="quiet"
      size="small"
      className="mt-3 w-full text-muted"
      data-step=""
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={() => void dispatch(loadHistory({ isNextPage: true }))}
    >
      {t("sidebar.older")}
    </Button>
  );
}
