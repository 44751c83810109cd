import "../locales/organise-texts.ts";
import {
  Archive,
  ArchiveRestore,
  ChevronLeft,
  ChevronRight,
  FolderInput,
  ListChecks,
  PenLine,
  Pin,
  PinOff,
  ScrollText,
  Trash2,
} from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "../ui/menu.tsx";
import { selectFolders, selectPlaceOf } from "./chats-selectors.ts";
import { chatEvents } from "./chats-slice.ts";
import type { ChatDialog } from "./chats-state.ts";
import { useChatsDispatch, useChatsSelector } from "./chats-store.ts";
import { changeChats, deleteChats, type PlaceChange } from "./organise/change-chats.ts";
import { ExportItems } from "./organise/export-items.tsx";
import { focusLine } from "./organise/focus-line.ts";
import { FolderItems } from "./organise/folder-items.tsx";

export type ChatMenuProps = {
  chat: { id: string; title: string };
  /** Where it opens: in a line of the list, which it can work on, or in the header of the open chat. */
  where: "line" | "header";
  trigger: ReactElement;
};

/**
 * What can be done with one chat. It is loaded when a menu is first opened, so items may bring what they need.
 *
 * Where items go: what changes how the chat is listed stands first (rename, pin, move, archive), then what is done with
 * its content (instructions, export: at the place marked below), Delete last. What asks for more than a click opens a
 * dialog: add its kind to `ChatDialog` in chats-state.ts, call `openDialog` in `onSelect`, and render it in
 * organise/chat-dialogs.tsx. Texts are in locales/en/organise.ts.
 */
export function ChatMenu({ chat, where, trigger }: ChatMenuProps) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const { isPinned = false, isArchived = false, folderId } = useChatsSelector(selectPlaceOf(chat.id));
  const folders = useChatsSelector(selectFolders);
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  /** What begins once the menu has closed, and takes the focus. */
  const next = useRef<(() => void) | null>(null);
  const content = useRef<HTMLDivElement>(null);
  /** The folders stand in the place of the other items: beside them there is no room on a phone. */
  const [isMoving, setMoving] = useState(false);
  useEffect(() => {
    // The first one is the way back.
    const items = content.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not([data-disabled])");
    if (isMoving) items?.[1]?.focus();
    else if (document.activeElement === document.body) content.current?.focus();
  }, [isMoving]);
  const isFiled = folders.some(({ id }) => id === folderId);

  const place = (change: PlaceChange) => {
    if (where === "line") focusLine(chat.id);
    void dispatch(changeChats([chat.id], change));
  };
  const openDialog = (dialog: ChatDialog) => {
    next.current = () => void dispatch(chatEvents.organise({ dialog }));
  };
  const rename = () => {
    if (where === "header") openDialog({ kind: "rename-chat", id: chat.id });
    else next.current = () => void dispatch(chatEvents.organise({ renaming: chat.id }));
  };

  return (
    <Menu defaultOpen modal={false} onOpenChange={() => setMoving(false)}>
      <span ref={(element) => setLandmark(element?.closest<HTMLElement>("nav, main") ?? null)} className="contents">
        <MenuTrigger asChild>{trigger}</MenuTrigger>
      </span>
      <MenuContent
        ref={content}
        container={landmark}
        onKeyDown={(event) => event.key === "ArrowLeft" && setMoving(false)}
        align={where === "line" ? "start" : "end"}
        onCloseAutoFocus={() => {
          // The button has the focus first: a dialog gives it back there.
          if (next.current) setTimeout(next.current);
          next.current = null;
        }}
      >
        {isMoving ? (
          <>
            <MenuItem
              icon={<ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />}
              className="text-muted"
              onSelect={(event) => {
                event.preventDefault();
                setMoving(false);
              }}
            >
              {t("menu.move")}
            </MenuItem>
            <MenuSeparator />
            <FolderItems
              chats={[chat.id]}
              current={folderId}
              isInFolder={isFiled}
              onNewFolder={() => openDialog({ kind: "new-folder", chats: [chat.id] })}
              onMoved={() => where === "line" && focusLine(chat.id)}
            />
          </>
        ) : (
          <>
            <MenuItem icon={<PenLine aria-hidden="true" />} onSelect={rename}>
              {t("menu.rename")}
            </MenuItem>
            {!isArchived && (
              <MenuItem
                icon={isPinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
                onSelect={() => place({ isPinned: !isPinned })}
              >
                {t(isPinned ? "menu.unpin" : "menu.pin")}
              </MenuItem>
            )}
            <MenuItem
              aria-haspopup="menu"
              icon={<FolderInput aria-hidden="true" />}
              onSelect={(event) => {
                event.preventDefault();
                setMoving(true);
              }}
              onKeyDown={(event) => event.key === "ArrowRight" && setMoving(true)}
            >
              <span className="flex-1">{t("menu.move")}</span>
              <ChevronRight aria-hidden="true" className="-me-1 text-muted rtl:-scale-x-100" />
            </MenuItem>
            <MenuItem
              icon={isArchived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
              onSelect={() => void dispatch(changeChats([chat.id], { isArchived: !isArchived }))}
            >
              {t(isArchived ? "menu.unarchive" : "menu.archive")}
            </MenuItem>
            {where === "line" && (
              <MenuItem
                icon={<ListChecks aria-hidden="true" />}
                onSelect={() => dispatch(chatEvents.organise({ selection: [chat.id] }))}
              >
                {t("menu.select")}
              </MenuItem>
            )}
            <MenuSeparator />
            {where === "header" && (
              <MenuItem
                icon={<ScrollText aria-hidden="true" />}
                onSelect={() => openDialog({ kind: "instructions", id: chat.id })}
              >
                {t("menu.instructions")}
              </MenuItem>
            )}
            <ExportItems chat={chat.id} />
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 aria-hidden="true" />}
              onSelect={() => void dispatch(deleteChats([chat.id]))}
            >
              {t("menu.delete")}
            </MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}
