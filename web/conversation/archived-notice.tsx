import { Archive } from "lucide-react";
import { useTranslation } from "react-i18next";
import { organiserModule } from "../chats/organiser-module.ts";
import { selectCurrent } from "../chats/state/chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import { Button } from "../ui/components/button.tsx";

/** Notice in an archived chat that explains why the list does not show it. */
export function ArchivedNotice() {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  const chat = useChatsSelector((root) => {
    const current = selectCurrent(root);
    return current?.location.isArchived ? current.id : null;
  });
  if (chat === null) return null;
  const unarchive = async () => {
    const parts = await organiserModule.ask();
    if (parts) void dispatch(parts.changeChats([chat], { isArchived: false }));
  };
  return (
    <p className="mx-auto flex max-w-column items-center justify-center gap-2 px-4 pb-2 text-muted text-sm">
      <Archive aria-hidden="true" className="size-4 shrink-0" />
      {t("archived.text")}
      <Button variant="quiet" size="small" className="text-accent" onClick={() => void unarchive()}>
        {t("archived.action")}
      </Button>
    </p>
  );
}
