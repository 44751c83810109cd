import { Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/icon-button.tsx";
import { type ChatSession, useChatSession } from "../chat-session.ts";
import { useIsBusy } from "./use-is-busy.ts";

/** The way to another wording of a question. */
export function EditButton({ chat, message }: { chat: string; message: string }) {
  const { t } = useTranslation("branches");
  const { branches } = useChatSession();
  const isBusy = useIsBusy(chat);
  return (
    <IconButton
      label={t("edit")}
      title={t("edit")}
      icon={<Pencil aria-hidden="true" />}
      size="small"
      className="[&_svg]:size-4"
      disabled={isBusy}
      onClick={() => branches?.edits.begin(chat, message)}
    />
  );
}

/** Has the last question of a chat worded anew, where there is one that the server has. */
export function editLast({ store, branches }: Pick<ChatSession, "store" | "branches">, chat: string): void {
  const conversation = store.getState().chats.conversations[chat];
  const last = conversation?.messages.findLast(({ role }) => role === "user");
  if (!conversation || conversation.isWriting || !last || last.id === null) return;
  branches?.edits.begin(chat, last.id);
}
