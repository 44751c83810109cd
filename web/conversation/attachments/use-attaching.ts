import { type ClipboardEvent, useEffect, useState } from "react";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { droppedFiles, longPaste, pastedFiles } from "../../files/attach/transferred-files.ts";
import { useStore } from "../../store/use-store.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { useChatSession } from "../chat-session.ts";
import type { AttachOptions } from "./attach-files.ts";

/** Loaded with the first file of a draft. */
export const composerFilesModule = lazyModule(() => import("./composer-files.tsx"));

type Held = { chat: string | null; files: readonly File[]; options: AttachOptions | undefined };

/** Adds files to the draft in a box. */
export type Attach = (files: readonly File[], options?: AttachOptions) => void;

/**
 * `attach`: null if files cannot be attached. `isHeld`: files for this draft wait for the module that attaches them;
 * `cancel` gives them up.
 */
export type Attaching = { attach: Attach | null; isHeld: boolean; cancel: () => void };

/**
 * Attaches files to the draft of a chat. Without a connection, the files are held until their module is loaded:
 * `loadMissingModules` retries it whenever the server may be reachable again.
 */
export function useAttaching(chat: string | null): Attaching {
  const session = useChatSession();
  const isOn = useAuthConfig().files !== undefined;
  const module = useStore(composerFilesModule);
  const [held, setHeld] = useState<readonly Held[]>([]);
  useEffect(() => {
    if (!module || held.length === 0) return;
    setHeld([]);
    for (const { chat: of, files, options } of held) void module.attachFiles(session, of, files, options);
  }, [module, held, session]);
  const attach: Attach = (files, options) => {
    setHeld((before) => [...before, { chat, files, options }]);
    composerFilesModule.load().catch(() => {});
  };
  return {
    attach: isOn ? attach : null,
    isHeld: held.some((each) => each.chat === chat),
    cancel: () => setHeld(held.filter((each) => each.chat !== chat)),
  };
}

export function attachDropped(attach: Attach, transfer: DataTransfer): void {
  const { files, folders } = droppedFiles(transfer);
  attach(files, { folders });
}

/** Attaches the files of a paste into a text box, or its text if that is long; leaves any other text to the box. */
export function attachPasted(attach: Attach, event: ClipboardEvent<HTMLTextAreaElement>): void {
  const { clipboardData, currentTarget } = event;
  const files = pastedFiles(clipboardData);
  const text = files.length === 0 ? longPaste(clipboardData) : null;
  if (text) attach([text], { textAt: currentTarget.selectionEnd });
  else if (files.length > 0) attach(files);
  else return;
  event.preventDefault();
}
