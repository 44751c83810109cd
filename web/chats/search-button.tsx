import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/components/icon-button.tsx";
import { chatEvents } from "./state/chats-slice.ts";
import { useChatsDispatch } from "./state/chats-store.ts";

/** Button that opens the command palette, which includes the search. */
export function SearchButton({ hasHintBeside = false }: { hasHintBeside?: boolean }) {
  const { t } = useTranslation("chat");
  const dispatch = useChatsDispatch();
  return (
    <IconButton
      label={t("sidebar.search")}
      shortcut="palette"
      hasHintBeside={hasHintBeside}
      icon={<Search aria-hidden="true" />}
      onClick={() => dispatch(chatEvents.organise({ dialog: { kind: "palette" } }))}
    />
  );
}
