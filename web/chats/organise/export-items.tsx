import { FileDown, FileJson, Printer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { saveChat } from "../../transfer/chat-exports.ts";
import { MenuItem } from "../../ui/components/menu.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { useChatsDispatch } from "../state/chats-store.ts";
import { wordFailure } from "../state/word-failure.ts";

/** Menu items that save a chat as a file or print it. */
export function ExportItems({ chat }: { chat: string }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const print = () => void dispatch(chatEvents.organise({ dialog: { kind: "print", id: chat } }));
  const run = (work: Promise<void>) =>
    void work.catch((error: unknown) => notify("error", wordFailure(error, t("menu.exportFailed"))));
  return (
    <>
      <MenuItem icon={<FileDown aria-hidden="true" />} onSelect={() => run(saveChat(chat, "markdown"))}>
        {t("menu.exportMarkdown")}
      </MenuItem>
      <MenuItem icon={<FileJson aria-hidden="true" />} onSelect={() => run(saveChat(chat, "json"))}>
        {t("menu.exportJson")}
      </MenuItem>
      <MenuItem icon={<Printer aria-hidden="true" />} onSelect={print}>
        {t("menu.print")}
      </MenuItem>
    </>
  );
}
