import { Check, FolderMinus, FolderPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { MenuItem, MenuSeparator } from "../../../ui/components/menu.tsx";
import { selectFolders } from "../../state/chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "../../state/chats-store.ts";
import { changeChats } from "../change-chats.ts";

type FolderItemsProps = {
  chats: readonly string[];
  /** Id of the folder that contains all of the chats. */
  current?: string | undefined;
  isInFolder: boolean;
  onNewFolder: () => void;
  onMoved?: () => void;
};

/** Menu items that move chats into a folder; the first item gets the focus. */
export function FolderItems({ chats, current, isInFolder, onNewFolder, onMoved }: FolderItemsProps) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const folders = useChatsSelector(selectFolders);
  const move = (folderId: string | null) => {
    void dispatch(changeChats(chats, { folderId }));
    onMoved?.();
  };
  return (
    <>
      {folders.map(({ id, name }) => (
        <MenuItem key={id} disabled={id === current} onSelect={() => move(id)}>
          <span dir="auto" className="own-way min-w-0 flex-1 truncate">
            {name}
          </span>
          {id === current && <Check aria-hidden="true" className="text-accent" />}
        </MenuItem>
      ))}
      {folders.length > 0 && <MenuSeparator />}
      {isInFolder && (
        <MenuItem icon={<FolderMinus aria-hidden="true" />} onSelect={() => move(null)}>
          {t("menu.noFolder")}
        </MenuItem>
      )}
      <MenuItem icon={<FolderPlus aria-hidden="true" />} onSelect={onNewFolder}>
        {t("menu.newFolder")}
      </MenuItem>
    </>
  );
}
