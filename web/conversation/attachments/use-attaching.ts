import { useEffect, useState } from "react";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { useStore } from "../../store/use-store.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { useChatSession } from "../chat-session.ts";

/** Loaded with the first file of a draft. */
export const composerFilesModule = lazyModule(() => import("./composer-files.tsx"));

type Held = { chat: string | null; files: readonly File[]; folders: number };

/** Adds files to the draft in a box; `folders`: the number of folders that were dropped with them. */
export type Attach = (files: readonly File[], folders?: number) => void;

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
    for (const { chat: of, files, folders } of held) void module.attachFiles(session, of, files, folders);
  }, [module, held, session]);
  const attach: Attach = (files, folders = 0) => {
    setHeld((before) => [...before, { chat, files, folders }]);
    composerFilesModule.load().catch(() => {});
  };
  return {
    attach: isOn ? attach : null,
    isHeld: held.some((each) => each.chat === chat),
    cancel: () => setHeld(held.filter((each) => each.chat !== chat)),
  };
}
