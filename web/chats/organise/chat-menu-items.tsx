import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  ChevronRight,
  FileDown,
  FolderInput,
  Link,
  ListChecks,
  Pencil,
  Pin,
  PinOff,
  ScrollText,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { keysOfMenu } from "../../locales/direction.ts";
import { MenuItem, MenuSeparator } from "../../ui/components/menu.tsx";
import { selectChatLocation, selectFolders } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import type { ChatDialog } from "../state/chats-state.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { changeChats, deleteChats, type LocationChange } from "./change-chats.ts";
import { focusLine } from "./focus-line.ts";
import { FolderItems } from "./folders/folder-items.tsx";

type ItemsProps = {
  chat: string;
  where: "line" | "header";
  /** Runs an action that moves the focus, once the menu has closed. */
  afterwards: (begin: () => void) => void;
};

/** Menu items Back and the folders into which the chat can be moved. */
export function MoveItems({ chat, where, afterwards, onBack }: ItemsProps & { onBack: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const { folderId } = useChatsSelector(selectChatLocation(chat));
  const folders = useChatsSelector(selectFolders);
  const dialog: ChatDialog = { kind: "new-folder", chats: [chat] };
  return (
    <>
      <MenuItem
        icon={<ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />}
        className="text-muted"
        onSelect={(event) => {
          event.preventDefault();
          onBack();
        }}
      >
        {t("menu.move")}
      </MenuItem>
      <MenuSeparator />
      <FolderItems
        chats={[chat]}
        current={folderId}
        isInFolder={folders.some(({ id }) => id === folderId)}
        onNewFolder={() => afterwards(() => void dispatch(chatEvents.organise({ dialog })))}
        onMoved={() => where === "line" && focusLine(chat)}
      />
    </>
  );
}

/** Menu items for all actions on a chat; `onMove` shows {@link MoveItems}. */
export function ChatItems({ chat, where, afterwards, onMove }: ItemsProps & { onMove: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const { isPinned = false, isArchived = false } = useChatsSelector(selectChatLocation(chat));

  const changeLocation = (change: LocationChange) => {
    if (where === "line") focusLine(chat);
    void dispatch(changeChats([chat], change));
  };
  const openDialog = (dialog: ChatDialog) => afterwards(() => void dispatch(chatEvents.organise({ dialog })));
  const rename = () => {
    if (where === "header") openDialog({ kind: "rename-chat", id: chat });
    else afterwards(() => void dispatch(chatEvents.organise({ renaming: chat })));
  };

  return (
    <>
      <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={rename}>
        {t("menu.rename")}
      </MenuItem>
      {!isArchived && (
        <MenuItem
          icon={isPinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
          onSelect={() => changeLocation({ isPinned: !isPinned })}
        >
          {t(isPinned ? "menu.unpin" : "menu.pin")}
        </MenuItem>
      )}
      <MenuItem
        aria-haspopup="menu"
        icon={<FolderInput aria-hidden="true" className="rtl:-scale-x-100" />}
        onSelect={(event) => {
          event.preventDefault();
          onMove();
        }}
        onKeyDown={(event) => event.key === keysOfMenu().into && onMove()}
      >
        <span className="flex-1">{t("menu.move")}</span>
        <ChevronRight aria-hidden="true" className="-me-1 text-muted rtl:-scale-x-100" />
      </MenuItem>
      <MenuItem
        icon={isArchived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        onSelect={() => afterwards(() => void dispatch(changeChats([chat], { isArchived: !isArchived })))}
      >
        {t(isArchived ? "menu.unarchive" : "menu.archive")}
      </MenuItem>
      {where === "line" && (
        <MenuItem
          icon={<ListChecks aria-hidden="true" />}
          onSelect={() => dispatch(chatEvents.organise({ selection: [chat] }))}
        >
          {t("menu.select")}
        </MenuItem>
      )}
      <MenuSeparator />
      {where === "header" && (
        <MenuItem
          icon={<ScrollText aria-hidden="true" />}
          onSelect={() => openDialog({ kind: "instructions", id: chat })}
        >
          {t("menu.instructions")}
        </MenuItem>
      )}
      <MenuItem icon={<Link aria-hidden="true" />} onSelect={() => openDialog({ kind: "share", id: chat })}>
        {t("menu.share")}
      </MenuItem>
      <MenuItem icon={<FileDown aria-hidden="true" />} onSelect={() => openDialog({ kind: "export", id: chat })}>
        {t("menu.export")}
      </MenuItem>
      <DeleteItem chat={chat} afterwards={afterwards} />
    </>
  );
}

function DeleteItem({ chat, afterwards }: Pick<ItemsProps, "chat" | "afterwards">) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  return (
    // Sticky: on a low screen the other items scroll behind it.
    <div className="sticky -bottom-1.5 -mx-1.5 -mb-1.5 bg-raised px-1.5 pb-1.5">
      <MenuSeparator />
      {/* Once the focus is back on the line, which passes it on when it is removed. */}
      <MenuItem
        danger
        icon={<Trash2 aria-hidden="true" />}
        onSelect={() => afterwards(() => void dispatch(deleteChats([chat])))}
      >
        {t("menu.delete")}
      </MenuItem>
    </div>
  );
}
