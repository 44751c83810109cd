import { useTranslation } from "react-i18next";
import { CHAT_TITLE_MAX, FOLDER_NAME_MAX } from "#contract/limits.ts";
import organise from "../../locales/en/organise.json";
import presets from "../../locales/en/presets.json";
import { registerTexts } from "../../locales/i18n.ts";
import { selectDialog, selectFolders, selectTitleOf } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import type { ChatDialog } from "../state/chats-state.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { renameChat } from "./change-chats.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { createFolder, renameFolder } from "./folders/change-folders.ts";
import { InstructionsDialog } from "./instructions-dialog.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { ShareChat } from "./share-chat.tsx";

registerTexts("organise", organise);
registerTexts("presets", presets);

/** Dialogs opened by the menus of chats and folders. A lazy module of its own, because their forms are rarely needed. */
export function ChatDialogs() {
  const dialog = useChatsSelector(selectDialog);
  const dispatch = useChatsDispatch();
  const close = () => dispatch(chatEvents.organise({ dialog: null }));
  if (dialog?.kind === "rename-chat") return <RenameChat id={dialog.id} onClose={close} />;
  if (dialog?.kind === "rename-folder") return <RenameFolder id={dialog.id} onClose={close} />;
  if (dialog?.kind === "instructions") return <InstructionsDialog chat={dialog.id} onClose={close} />;
  if (dialog?.kind === "export") return <ExportDialog chat={dialog.id} onClose={close} />;
  if (dialog?.kind === "share") return <ShareChat chat={dialog.id} onClose={close} />;
  if (dialog?.kind === "new-folder") return <NewFolder dialog={dialog} onClose={close} />;
  return null;
}

function RenameChat({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const title = useChatsSelector(selectTitleOf(id));
  return (
    <NameDialog
      title={t("name.renameChat")}
      label={t("name.chat")}
      name={title}
      maxLength={CHAT_TITLE_MAX}
      confirmLabel={t("name.save")}
      onName={(name) => void dispatch(renameChat(id, name))}
      onClose={onClose}
    />
  );
}

function RenameFolder({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const folder = useChatsSelector(selectFolders).find((each) => each.id === id);
  return (
    <NameDialog
      title={t("name.renameFolder")}
      label={t("name.folder")}
      name={folder?.name ?? ""}
      maxLength={FOLDER_NAME_MAX}
      confirmLabel={t("name.save")}
      onName={(name) => void dispatch(renameFolder(id, name))}
      onClose={onClose}
    />
  );
}

function NewFolder({ dialog, onClose }: { dialog: Extract<ChatDialog, { chats: string[] }>; onClose: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  return (
    <NameDialog
      title={t("name.newFolder")}
      label={t("name.folder")}
      name=""
      maxLength={FOLDER_NAME_MAX}
      confirmLabel={t("name.create")}
      onName={(name) => void dispatch(createFolder(name, dialog.chats))}
      onClose={onClose}
    />
  );
}
