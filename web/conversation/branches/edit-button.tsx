import { Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { useChatSession } from "../chat-session.ts";
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
