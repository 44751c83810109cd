import { Archive } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { useChatsDispatch } from "../state/chats-store.ts";
import { changeChats } from "./change-chats.ts";

/** The words of an archived chat, which explain why the list does not show it, and their button. */
export function ArchivedLine({ chat }: { chat: string }) {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  return (
    <p className="mx-auto flex max-w-column items-center justify-center gap-2 px-4 pb-2 text-muted text-sm">
      <Archive aria-hidden="true" className="size-4 shrink-0" />
      {t("archived.text")}
      <Button
        variant="quiet"
        size="small"
        className="text-accent"
        onClick={() => void dispatch(changeChats([chat], { isArchived: false }))}
      >
        {t("archived.action")}
      </Button>
    </p>
  );
}
