import { organiserModule } from "../chats/organiser-module.ts";
import { selectCurrent } from "../chats/state/chats-selectors.ts";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import { useLazyModule } from "../ui/lazy/lazy-module.ts";

/** Notice in an archived chat that explains why the list does not show it. */
export function ArchivedNotice() {
  const chat = useChatsSelector((root) => {
    const current = selectCurrent(root);
    return current?.location.isArchived ? current.id : null;
  });
  const parts = useLazyModule(organiserModule, chat !== null);
  return chat !== null && parts && <parts.ArchivedLine chat={chat} />;
}
