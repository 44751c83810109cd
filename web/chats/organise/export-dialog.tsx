import { FileDown, FileJson, FileText, Printer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { chatEvents } from "../state/chats-slice.ts";
import { useChatsDispatch } from "../state/chats-store.ts";
import { exportChat } from "./export-chat.ts";

const icons = { print: Printer, docx: FileText, markdown: FileDown, json: FileJson };
const formats = ["print", "docx", "markdown", "json"] as const;

/** Dialog that saves a chat as a file or prints it. */
export function ExportDialog({ chat, onClose }: { chat: string; onClose: () => void }) {
  const { t } = useTranslation("organise");
  const dispatch = useChatsDispatch();
  const choose = (format: keyof typeof icons) => {
    if (format === "print") return void dispatch(chatEvents.organise({ dialog: { kind: "print", id: chat } }));
    onClose();
    void exportChat(chat, format);
  };
  return (
    <Dialog isOpen onOpenChange={onClose} title={t("export.title")}>
      <ul className="-mx-3 -mb-3 flex flex-col">
        {formats.map((format) => {
          const Icon = icons[format];
          return (
            <li key={format}>
              <button
                type="button"
                onClick={() => choose(format)}
                className="flex w-full gap-3.5 rounded-control px-3 py-2.5 text-start transition-colors hover:bg-hover"
              >
                <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
                <span className="min-w-0">
                  <span className="block font-medium text-sm">{t(`export.${format}`)}</span>
                  <span className="mt-0.5 block text-pretty text-muted text-sm leading-text">
                    {t(`export.${format}Text`)}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
