import { Paperclip } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { isOverlaid } from "../../ui/dialogs/is-overlaid.ts";
import { isPressed } from "../../ui/keys/shortcuts.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";

/** Loaded after the screen. Until then the picker offers all files. */
const acceptedFilesModule = lazyModule(() => import("../../files/attach/accepted-files.ts"), "after-chat");

/** Button that opens the system's file picker, on a phone with its camera. */
export function AttachButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const { t } = useTranslation("chat");
  const input = useRef<HTMLInputElement>(null);
  const accepted = useLazyModule(acceptedFilesModule);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed(event, "attach") || event.repeat || isOverlaid()) return;
      event.preventDefault();
      input.current?.click();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    // Not a button of the row itself, of which the resting composer shows one only.
    <span className="-me-1 pointer-coarse:-ms-1.5 pointer-coarse:-me-2 flex shrink-0">
      <IconButton
        label={t("composer.attach")}
        shortcut="attach"
        icon={<Paperclip aria-hidden="true" />}
        size="small"
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accepted?.ACCEPTED_FILES}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          // Choosing the same file again, after it was removed, must be a change.
          currentTarget.value = "";
          if (chosen.length > 0) onChoose(chosen);
        }}
      />
    </span>
  );
}
