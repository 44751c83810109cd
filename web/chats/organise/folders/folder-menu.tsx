import { Ellipsis, MoveDown, MoveUp, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Folder } from "#contract/conversation/folders.ts";
import { cx } from "../../../ui/components/cx.ts";
import { IconButton } from "../../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "../../../ui/components/menu.tsx";
import type { RowMenu } from "../../list/use-row-menu.ts";
import { selectFolders } from "../../state/chats-selectors.ts";
import { chatEvents } from "../../state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../../state/chats-store.ts";
import { deleteFolder, moveFolder } from "./change-folders.ts";

type FolderMenuProps = { folder: Folder; menu: RowMenu; tabIndex: number | undefined };

/** Menu of one folder. */
export function FolderMenu({ folder, menu, tabIndex }: FolderMenuProps) {
  const { t } = useTranslation(["organise", "chat"]);
  const dispatch = useChatsDispatch();
  const folders = useChatsSelector(selectFolders);
  const at = folders.findIndex(({ id }) => id === folder.id);
  const [isNaming, setNaming] = useState(false);
  const move = (to: number) => void dispatch(moveFolder(folder.id, to));
  return (
    <Menu modal={false} open={menu.isOpen} onOpenChange={menu.setOpen}>
      <MenuTrigger asChild>
        <IconButton
          ref={menu.button}
          tabIndex={tabIndex}
          label={t("folders.more", { name: folder.name })}
          hint={t("chat:sidebar.moreHint")}
          shortcut="lineMenu"
          icon={<Ellipsis aria-hidden="true" />}
          size="small"
          className={cx(
            "absolute end-0.5 opacity-0 focus-visible:opacity-100 data-[state=open]:opacity-100",
            "group-focus-within/line:opacity-100 group-hover/line:opacity-100 [&_svg]:size-4",
            "pointer-coarse:pointer-events-none pointer-coarse:group-focus-within/line:pointer-events-auto",
          )}
        />
      </MenuTrigger>
      <MenuContent
        align="start"
        {...menu.offset}
        onCloseAutoFocus={(event) => {
          if (!isNaming) return;
          event.preventDefault();
          setNaming(false);
          dispatch(chatEvents.organise({ renaming: folder.id }));
        }}
      >
        <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => setNaming(true)}>
          {t("folders.rename")}
        </MenuItem>
        {at > 0 && (
          <MenuItem icon={<MoveUp aria-hidden="true" />} onSelect={() => move(at - 1)}>
            {t("folders.up")}
          </MenuItem>
        )}
        {at < folders.length - 1 && (
          <MenuItem icon={<MoveDown aria-hidden="true" />} onSelect={() => move(at + 1)}>
            {t("folders.down")}
          </MenuItem>
        )}
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => void dispatch(deleteFolder(folder))}>
          {t("folders.delete")}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
