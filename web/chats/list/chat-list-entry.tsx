import { Link as LinkIcon, Trash2 } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { RUNNING, WAITING } from "#contract/conversation/reply-state.ts";
import { CHAT_TITLE_MAX } from "#contract/limits.ts";
import { directionOf } from "../../locales/direction.ts";
import { cx } from "../../ui/components/cx.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Link } from "../../ui/components/link.tsx";
import { useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { chatAddress } from "../chat-address.ts";
import { ChatMenuButton } from "../chat-menu-button.tsx";
import { organiserModule } from "../organiser-module.ts";
import { shownTitle } from "../shown-title.ts";
import { selectIsWritingIn, selectRenaming, selectSelection } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { useTabStop } from "./tab-stop.ts";
import { usePassFocusOn } from "./use-pass-focus-on.ts";
import { type RowMenu, useRowMenu } from "./use-row-menu.ts";

type ChatListEntryProps = {
  chat: ChatListItem;
  isCurrent: boolean;
  onChosen?: (() => void) | undefined;
};

/** One line of the history: the title fades at its end, and the menu button appears there. */
export const ChatListEntry = memo(function ChatListEntry({ chat, isCurrent, onChosen }: ChatListEntryProps) {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  const isRenaming = useChatsSelector((root) => selectRenaming(root) === chat.id);
  const isSelected = useChatsSelector((root) => selectSelection(root)?.includes(chat.id) ?? false);
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  usePassFocusOn(line);
  const { tabIndex, innerTabIndex, onFocus } = useTabStop(chat.id, isCurrent);
  const menu = useRowMenu();
  const parts = useLazyModule(organiserModule, isRenaming);
  const title = shownTitle(chat);
  const rename = (name: string | null, isByKey: boolean) => {
    dispatch(chatEvents.organise({ renaming: null }));
    if (isByKey) parts?.focusLine(chat.id);
    if (name !== null && parts) void dispatch(parts.renameChat(chat.id, name));
  };
  return (
    <li
      ref={line}
      data-chat={chat.id}
      onFocus={onFocus}
      onContextMenu={menu.onContextMenu}
      className={cx(
        "group/line relative flex items-center rounded-control transition-colors data-passed:bg-pressed",
        isSelected ? "bg-accent-soft" : isCurrent ? "bg-pressed" : "hover:bg-hover",
      )}
    >
      {parts ? (
        <parts.RenameField label={t("sidebar.rename")} name={title} maxLength={CHAT_TITLE_MAX} onEnd={rename} />
      ) : (
        <>
          <ChatLink
            chat={chat}
            title={title}
            isCurrent={isCurrent}
            isSelected={isSelected}
            tabIndex={tabIndex}
            onChosen={onChosen}
          />
          <LineButtons id={chat.id} title={title} isCurrent={isCurrent} menu={menu} tabIndex={innerTabIndex} />
        </>
      )}
    </li>
  );
});

type ChatLinkProps = ChatListEntryProps & { title: string; isSelected: boolean; tabIndex: number | undefined };

/**
 * Marks before the title, without a layout shift: a ring while a reply is being written, a diamond for one that waits for
 * decisions, a dot for an unread one. Of borders, because forced colours remove backgrounds.
 */
const marks = {
  writing: "rounded-full border-[1.5px]",
  waiting: "rotate-45 border-3",
  unread: "animate-appear rounded-full border-3",
};

/** The title, which opens the chat, with the marks of its state. */
function ChatLink({ chat, title, isCurrent, isSelected, tabIndex, onChosen }: ChatLinkProps) {
  const { t } = useTranslation("chat");
  const isSelecting = useChatsSelector((root) => selectSelection(root) !== null);
  const isFollowing = useChatsSelector(selectIsWritingIn(chat.id));
  // The open chat counts as read.
  const isUnread = chat.isUnread && !isCurrent && "unread";
  const mark = isFollowing || chat.isWriting ? RUNNING : chat.isWaiting ? WAITING : isUnread;
  return (
    <Link
      to={chatAddress(chat.id)}
      tabIndex={tabIndex}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onChosen}
      className={cx(
        "chat-title flex min-h-9 min-w-0 flex-1 items-center rounded-control px-4 text-sm pointer-coarse:min-h-11",
        mark === WAITING || mark === "unread" ? "font-semibold" : isCurrent && "font-medium",
        isSelecting && "chat-box",
        isSelected && "chat-box-checked",
      )}
    >
      <span
        dir={directionOf(title)}
        className="own-way min-w-0 flex-1 overflow-hidden whitespace-nowrap"
        {...tooltip(title, { isForCutText: true, isBeside: true })}
      >
        {title}
      </span>
      {mark && <span className={cx("absolute start-1 size-1.5 border-accent", marks[mark])} />}
      {mark && <span className="sr-only">{t(`sidebar.${mark}`)}</span>}
      {chat.isShared && <SharedMark />}
      {isSelected && <span className="sr-only">{t("sidebar.selected")}</span>}
    </Link>
  );
}

/** Mark of a chat that a link leads to, in the padding behind the title. */
function SharedMark() {
  const { t } = useTranslation("chat");
  return (
    <>
      <LinkIcon aria-hidden="true" className="shared-mark size-3 text-muted" />
      <span className="sr-only">{t("sidebar.shared")}</span>
    </>
  );
}

type LineButtonsProps = { id: string; title: string; isCurrent: boolean; menu: RowMenu; tabIndex: number | undefined };

/** The menu of the chat and the button that deletes it, above the end of the title. */
function LineButtons({ id, title, isCurrent, menu, tabIndex }: LineButtonsProps) {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  const remove = async () => {
    const asked = await organiserModule.ask();
    if (asked) void dispatch(asked.deleteChats([id]));
  };
  return (
    <span
      className={cx(
        "absolute end-0.5 flex focus-within:opacity-100 has-[[data-state=open]]:opacity-100",
        "group-focus-within/line:opacity-100 group-hover/line:opacity-100 [&_svg]:size-4",
        // On a touch screen a long press opens the menu: what cannot be seen must not be touched.
        "pointer-coarse:group-focus-within/line:pointer-events-auto",
        !isCurrent && "opacity-0 pointer-coarse:pointer-events-none",
      )}
    >
      <ChatMenuButton chat={{ id, title }} where="line" menu={menu} tabIndex={tabIndex} />
      <IconButton
        label={t("sidebar.delete", { title })}
        hint={t("sidebar.deleteHint")}
        shortcut="deleteLine"
        icon={<Trash2 aria-hidden="true" />}
        size="small"
        tabIndex={tabIndex}
        onClick={() => void remove()}
      />
    </span>
  );
}
