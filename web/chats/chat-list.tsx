import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatListItem } from "#contract/chats.ts";
import { MINUTE } from "#contract/limits.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ChatListEntry } from "./chat-list-entry.tsx";
import {
  selectChats,
  selectHasMoreChats,
  selectHasNoChats,
  selectIsLoadingHistory,
  selectMarkedChat,
} from "./chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "./chats-store.ts";
import { deleteChat, loadHistory } from "./chats-thunks.ts";
import { groupByDay } from "./day-groups.ts";

export function ChatList({ onChosen }: { onChosen?: (() => void) | undefined }) {
  const { t } = useTranslation("chat");
  const chats = useChatsSelector(selectChats);
  const isLoading = useChatsSelector(selectIsLoadingHistory);
  const hasNone = useChatsSelector(selectHasNoChats);
  const marked = useChatsSelector(selectMarkedChat);
  const groups = useDayGroups(chats);
  const [toDelete, setToDelete] = useState<ChatListItem | null>(null);
  return (
    <>
      {isLoading && (
        <p role="status" className="px-4 py-2 text-muted text-sm">
          {t("sidebar.loading")}
        </p>
      )}
      {groups.map(({ label, chats: entries }) => (
        <section key={label} aria-label={label} className="mt-3 first:mt-1">
          <h2 className="px-4 py-1.5 font-medium text-muted text-xs">{label}</h2>
          <ul className="flex flex-col gap-px">
            {entries.map((chat) => (
              <ChatListEntry
                key={chat.id}
                chat={chat}
                isCurrent={chat.id === marked}
                onChosen={onChosen}
                onDelete={setToDelete}
              />
            ))}
          </ul>
        </section>
      ))}
      {!isLoading && hasNone && <p className="px-4 py-2 text-muted text-sm">{t("sidebar.empty")}</p>}
      <MoreChats />
      <DeleteDialog chat={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

function useDayGroups(chats: readonly ChatListItem[]) {
  const { t, i18n } = useTranslation("chat");
  const now = useMinute();
  const locale = i18n.language;
  return useMemo(() => {
    const words = { today: t("days.today"), yesterday: t("days.yesterday"), week: t("days.week") };
    return groupByDay(chats, now, words, locale);
  }, [chats, now, t, locale]);
}

/** The time, to the minute: a page that stays open over midnight moves its chats to yesterday. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The way to older chats, taken by itself when it comes into view, and once: after a failure only a person tries again. */
function MoreChats() {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  const hasMore = useChatsSelector(selectHasMoreChats);
  const isLoading = useChatsSelector(selectIsLoadingHistory);
  const button = useRef<HTMLButtonElement>(null);
  const end = useChatsSelector(selectChats).at(-1)?.id;
  // Still at the end of the list after its page was asked for: that page failed.
  const tried = useRef<string | undefined>(undefined);
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
      onClick={() => void dispatch(loadHistory({ isNextPage: true }))}
    >
      {t("sidebar.more")}
    </Button>
  );
}

function DeleteDialog({ chat, onClose }: { chat: ChatListItem | null; onClose: () => void }) {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  // While the dialog leaves, it still names what it was about.
  const last = useRef(chat);
  if (chat) last.current = chat;
  return (
    <ConfirmDialog
      isOpen={chat !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t("deleting.title")}
      description={t("deleting.text", { title: last.current?.title ?? "" })}
      confirmLabel={t("deleting.confirm")}
      onConfirm={() => chat && void dispatch(deleteChat(chat.id))}
    />
  );
}
