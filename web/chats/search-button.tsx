import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { IconButton } from "../ui/icon-button.tsx";
import { chatAddress } from "./use-chat-address.ts";

const SearchDialog = lazy(() => import("../search/search-dialog.tsx"));

/** Opens the search, as the key `/` does where nothing is being written. `onChosen`: a place was chosen in it. */
export function SearchButton({ onChosen }: { onChosen?: (() => void) | undefined }) {
  const { t } = useTranslation("chat");
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState<boolean>();
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
      {isOpen !== undefined && (
        <Suspense>
          <SearchDialog
            isOpen={isOpen}
            onOpenChange={setOpen}
            onChoose={(chat, message) => {
              void navigate(chatAddress(chat, message));
              onChosen?.();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
