import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { IconButton } from "../ui/icon-button.tsx";
import { later, useLater } from "../ui/later.ts";
import { selectFolders } from "./chats-selectors.ts";
import { useChatsSelector } from "./chats-store.ts";
import { chatAddress } from "./use-chat-address.ts";

/** What the button opens. */
export const searchPart = later(() => import("../search/search-dialog.tsx"));

/** Opens the search, as the key `/` does where nothing is being written. `onChosen`: a place was chosen in it. */
export function SearchButton({ onChosen }: { onChosen?: (() => void) | undefined }) {
  const { t } = useTranslation("chat");
  const navigate = useNavigate();
  const folders = useChatsSelector(selectFolders);
  const [isOpen, setOpen] = useState<boolean>();
  const [typed, setTyped] = useState("");
  const part = useLater(searchPart, isOpen !== undefined, () => {
    setOpen(undefined);
    setTyped("");
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isWriting = document.activeElement?.matches("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isWriting || document.querySelector("[role=dialog], [role=alertdialog]")) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <IconButton
        label={t("sidebar.search")}
        title={t("sidebar.search")}
        icon={<Search aria-hidden="true" />}
        onClick={() => setOpen(true)}
      />
      {isOpen !== undefined && !part && <TypedAhead onType={(key) => setTyped((before) => before + key)} />}
      {isOpen !== undefined && part && (
        <part.default
          {...{ isOpen, typed, folders }}
          onOpenChange={(isNowOpen) => {
            setOpen(isNowOpen);
            setTyped("");
          }}
          onChoose={(chat, message) => {
            void navigate(chatAddress(chat, message));
            onChosen?.();
          }}
        />
      )}
    </>
  );
}

/** Keeps the letters of whoever types faster than the search is loaded. */
function TypedAhead({ onType }: { onType: (key: string) => void }) {
  const type = useEffectEvent(onType);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.length > 1 || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      type(event.key);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return null;
}
