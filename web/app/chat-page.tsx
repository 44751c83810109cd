import { useEffect } from "react";
import { SECOND } from "#contract/limits.ts";
import { Actions, actionsPart } from "../actions/actions.tsx";
import { onReturn } from "../api/on-return.ts";
import { organiserPart } from "../chats/organiser-part.ts";
import { personPart } from "../chats/person-menu.tsx";
import { toolsPart } from "../conversation/branches/lazy-tools.tsx";
import { ChatScreen, drawerPart, temporaryPart } from "../conversation/chat-screen.tsx";
import { presetsPart } from "../conversation/composer.tsx";
import { landingPart, spokenPart } from "../conversation/message/message-list.tsx";
import { richPart } from "../conversation/message/reply-body.tsx";
import { usagePart } from "../conversation/message/usage-button.tsx";
import { leavingPart } from "../conversation/use-logout.tsx";
import { modelsPart } from "../models/model-menu.tsx";
import { readingPart } from "../scroll/use-scroll-position.ts";
import { notePageShown } from "../ui/components/page-title.tsx";
import { loadMissing } from "../ui/lazy/lazy-module.ts";
import { useNameTab } from "./titled.tsx";

// Fetched while the chat itself is. If it fails, whoever needs it tries again and tells.
richPart.load().catch(() => undefined);
readingPart.load().catch(() => undefined);

const SETTLED_AFTER_MS = 2 * SECOND;
const behind: readonly { load: () => Promise<unknown> }[] = [
  ...[modelsPart, personPart, drawerPart, toolsPart, organiserPart, presetsPart, temporaryPart],
  ...[actionsPart, leavingPart, usagePart, landingPart, spokenPart],
];

/** Preloads lazy modules. A failure is reported by the code that needs the module, which loads it again. */
function loadBehind(): void {
  for (const part of behind) part.load().catch(() => undefined);
}

export default function ChatPage() {
  const nameTab = useNameTab();
  useEffect(notePageShown, []);
  useEffect(() => {
    // So that each is there when it is asked for, also where the network is not.
    const timer = setTimeout(loadBehind, SETTLED_AFTER_MS);
    const unfollow = onReturn(loadMissing);
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, []);
  return <ChatScreen onTitle={nameTab} Actions={Actions} />;
}
