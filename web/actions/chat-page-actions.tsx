/** One part of the script, with its own texts. */

import { useEffect, useEffectEvent, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import actions from "../locales/en/actions.json";
import organise from "../locales/en/organise.json";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import type { ActionsProps } from "./action-context.ts";
import { useActionKeys } from "./use-action-keys.ts";

registerTexts("actions", actions);
registerTexts("organise", organise);
registerTexts("presets", presets);

const SETTLED_AFTER_MS = 2 * SECOND;

const paletteModule = lazyModule(() => import("./palette.tsx"));

/** Listens for the keys, and shows what opens for somebody who looks for a chat, for words, for an action or for a key. */
export default function ChatPageActions(props: ActionsProps) {
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
  if (isPalette && !parts) return <TypedAhead onType={(key) => setTyped((before) => before + key)} />;
  if (isPalette && parts) return <parts.Palette {...props} typed={typed} scope={dialog.scope} onClose={close} />;
  return parts && dialog?.kind === "shortcuts" && <parts.ShortcutsDialog onClose={close} />;
}

/** So that it is there when it is asked for, also where the network is not. If it fails, whoever asks for it is told. */
function useEarlyPalette(): void {
  useEffect(() => {
    const timer = setTimeout(() => void paletteModule.load().catch(() => undefined), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** Keeps the letters of whoever types faster than the palette is loaded. */
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
