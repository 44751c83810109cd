import { Trash2 } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { offerChatsUndo } from "../../chats/organise/offer-undo.ts";
import { shownTitle } from "../../chats/shown-title.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { useAction } from "../../forms/use-action.ts";
import chat from "../../locales/en/chat.json";
import organise from "../../locales/en/organise.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { settingsApi } from "../settings-api.ts";
import { ChatRow } from "./chat-row.tsx";
import { useArchivedChats } from "./use-archived-chats.ts";

registerTexts("chat", chat);
registerTexts("organise", organise);

function notifyFailure(cause: unknown): void {
  const text = failureText(cause);
  if (text !== null) notify("error", text);
}

/** Archived chats, which can be opened, restored or deleted. */
export function ArchivedSection() {
  const { t } = useTranslation("settings");
  const { newest, chats, hasMore, showMore, remove, putBack } = useArchivedChats();
  const more = useAction<"more">();
  const heading = useRef<HTMLHeadingElement>(null);

  const change = async (chat: ChatListItem, wanted: { isArchived: false } | { isDeleted: true }) => {
    remove(chat.id);
    heading.current?.focus();
    try {
      await settingsApi.changeChats([chat.id], wanted);
    } catch (cause) {
      putBack(chat);
      notifyFailure(cause);
      return;
    }
    const back = "isDeleted" in wanted ? { isDeleted: false } : { isArchived: true };
    const kind = "isDeleted" in wanted ? "deleted" : "unarchived";
    offerChatsUndo({ kind, chats: [chat] }, () => {
      void settingsApi.changeChats([chat.id], back).then(() => putBack(chat), notifyFailure);
    });
  };

  return (
    <Section title={t("data.archived")} text={t("data.archivedText")} headingRef={heading}>
      {newest.error !== null && <LoadFailure error={newest.error} onRetry={newest.reload} />}
      {newest.value === null && newest.error === null && <LinesLoading lines={3} />}
      {newest.value !== null && chats.length === 0 && (
        <EmptyState text={t("data.noneArchived")} className="px-6 py-10" />
      )}
      <ul className="divide-y divide-hairline">
        {chats.map((chat) => (
          <ChatRow
            key={chat.id}
            id={chat.id}
            title={shownTitle(chat)}
            text={<TimeAgo at={chat.updatedAt} sentence={(time) => t("data.lastActive", { time })} />}
          >
            <div className="flex items-center gap-1">
              <Button
                variant="secondary"
                size="small"
                aria-label={t("data.unarchiveOne", { title: shownTitle(chat) })}
                onClick={() => void change(chat, { isArchived: false })}
              >
                {t("data.unarchive")}
              </Button>
              <IconButton
                label={t("data.deleteOne", { title: shownTitle(chat) })}
                icon={<Trash2 aria-hidden="true" />}
                size="small"
                onClick={() => void change(chat, { isDeleted: true })}
              />
            </div>
          </ChatRow>
        ))}
      </ul>
      <FailureBanner failure={more.failure} className="m-4" />
      {hasMore && (
        <div className="border-hairline border-t p-2">
          <Button
            variant="quiet"
            size="small"
            className="w-full text-muted"
            busy={more.busy !== null}
            onClick={() => void more.run("more", showMore)}
          >
            {t("data.more")}
          </Button>
        </div>
      )}
    </Section>
  );
}
