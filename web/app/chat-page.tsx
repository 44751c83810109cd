import { useEffect } from "react";
import { errorSentences } from "#contract/errors.ts";
import { SECOND } from "#contract/limits.ts";
import { ActionsMount } from "../actions/actions-mount.tsx";
import { onReturn } from "../api/on-return.ts";
import { ChatScreen } from "../conversation/chat-screen.tsx";
import { registerTexts } from "../locales/i18n.ts";
import { preloadReadingFont } from "../ui/appearance/preload-reading-font.ts";
import { notePageShown } from "../ui/components/page-title.tsx";
import { loadMissingModules, preloadAfterChat, preloadWithChat } from "../ui/lazy/lazy-module.ts";
import { useNameTab } from "./titled.tsx";

registerTexts("errors", errorSentences);

preloadWithChat();
// Together with the messages. A chat that is not addressed is empty.
if (/[?&]c=/.test(window.location.search)) preloadReadingFont();

const SETTLED_AFTER_MS = 2 * SECOND;

export default function ChatPage() {
  const nameTab = useNameTab();
  useEffect(notePageShown, []);
  useEffect(() => {
    // Preloads the modules, so that they are also available offline.
    let isShown = true;
    const timer = setTimeout(() => preloadAfterChat(() => isShown), SETTLED_AFTER_MS);
    const unfollow = onReturn(loadMissingModules);
    return () => {
      isShown = false;
      clearTimeout(timer);
      unfollow();
    };
  }, []);
  return <ChatScreen onTitle={nameTab} Actions={ActionsMount} />;
}
