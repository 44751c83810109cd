import { Archive, FolderInput, Pin, PinOff, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuTrigger } from "../../ui/components/menu.tsx";
import { selectChats, selectSelection } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { changeChats, deleteChats } from "./change-chats.ts";
import { FolderItems } from "./folders/folder-items.tsx";

/** Bar below the list with the actions for the selected chats. */
export function SelectionBar({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const selection = useChatsSelector(selectSelection);
  const chats = useChatsSelector(selectChats).filter(({ id }) => selection?.includes(id));
  if (selection === null) return null;
  const ids = chats.map(({ id }) => id);
  const isDisabled = ids.length === 0;
  const arePinned = !isDisabled && chats.every(({ isPinned }) => isPinned);
  const done = (work: Promise<void>) => {
    void work;
    onEnd();
  };
  const pin = t(arePinned ? "menu.unpin" : "selection.pin");
  return (
    <section
      aria-label={t("selection.label")}
      className="flex animate-appear items-center gap-0.5 border-hairline border-t bg-raised px-2 py-1.5"
    >
      <p aria-live="polite" className="min-w-0 flex-1 truncate px-2 font-medium text-sm tabular-nums">
        {t("selection.count", { count: ids.length })}
      </p>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <IconButton
            label={t("selection.move")}
            icon={<FolderInput aria-hidden="true" className="rtl:-scale-x-100" />}
            size="small"
            disabled={isDisabled}
          />
        </MenuTrigger>
        <MenuContent side="top" align="end" aria-label={t("menu.move")}>
          <FolderItems
            chats={ids}
            isInFolder={chats.some(({ folderId }) => folderId !== undefined)}
            onNewFolder={() => {
              dispatch(chatEvents.organise({ dialog: { kind: "new-folder", chats: ids } }));
              onEnd();
            }}
            onMoved={onEnd}
          />
        </MenuContent>
      </Menu>
      <IconButton
        label={pin}
        icon={arePinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        size="small"
        disabled={isDisabled}
        onClick={() => done(dispatch(changeChats(ids, { isPinned: !arePinned })))}
      />
      <IconButton
        label={t("selection.archive")}
        icon={<Archive aria-hidden="true" />}
        size="small"
        disabled={isDisabled}
        onClick={() => done(dispatch(changeChats(ids, { isArchived: true })))}
      />
      <IconButton
        label={t("selection.delete")}
        icon={<Trash2 aria-hidden="true" />}
        size="small"
        className="text-danger"
        disabled={isDisabled}
        onClick={() => done(dispatch(deleteChats(ids)))}
      />
      <Button variant="quiet" size="small" className="px-2" onClick={onEnd}>
        {t("selection.done")}
      </Button>
    </section>
  );
}
