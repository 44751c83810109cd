/** Lazy module of the chat page's actions, with its own texts. */

import { useEffect, useEffectEvent, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import actions from "../locales/en/actions.json";
import organise from "../locales/en/organise.json";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { NoticeMount } from "../notice/notice-mount.tsx";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import type { ActionsProps } from "./action-context.ts";
import { useActionKeys } from "./use-action-keys.ts";

registerTexts("actions", actions);
registerTexts("organise", organise);
registerTexts("presets", presets);

const SETTLED_AFTER_MS = 2 * SECOND;

const paletteModule = lazyModule(() => import("./palette.tsx"));

/** Preloaded, so that a chat is also printed offline. */
const printModule = lazyModule(() => import("../conversation/print/print-page.tsx"), "after-chat");

/**
 * Handles the shortcuts, and renders the palette, the list of shortcuts and the page that prints a chat; in the chat also
 * the notices, because the chat itself must stay small.
 */
export default function ChatPageActions(props: ActionsProps) {
  return (
    <>
      {props.page !== "other" && <NoticeMount isInChat />}
      <Actions {...props} />
    </>
  );
}

function Actions(props: ActionsProps) {
  const dispatch = useChatsDispatch();
  const dialog = useChatsSelector(selectDialog);
  const isPalette = dialog?.kind === "palette";
  const [typed, setTyped] = useState("");
  useActionKeys(props);
  useEarlyPalette();
  const close = () => {
    dispatch(chatEvents.organise({ dialog: null }));
    setTyped("");
  };
  const parts = useLazyModule(paletteModule, isPalette || dialog?.kind === "shortcuts", close);
  const printing = useLazyModule(printModule, dialog?.kind === "print", close);
  if (printing && dialog?.kind === "print")
    return <printing.default key={dialog.id} chat={dialog.id} onClose={close} />;
  if (isPalette && !parts) return <TypedAhead onType={(key) => setTyped((before) => before + key)} />;
  if (isPalette && parts) return <parts.Palette {...props} typed={typed} scope={dialog.scope} onClose={close} />;
  return parts && dialog?.kind === "shortcuts" && <parts.ShortcutsDialog onClose={close} />;
}

/** Preloads the palette, so that it is also available offline. A failure is reported when the palette is opened. */
function useEarlyPalette(): void {
  useEffect(() => {
    const timer = setTimeout(() => void paletteModule.load().catch(() => undefined), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** Buffers the characters that are typed while the palette is loading. */
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
