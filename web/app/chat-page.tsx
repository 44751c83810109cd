import { useEffect } from "react";
import { SECOND } from "#contract/limits.ts";
import { onReturn } from "../api/on-return.ts";
import { organiserPart } from "../chats/organiser-part.ts";
import { searchPart } from "../chats/search-button.tsx";
import { toolsPart } from "../conversation/branches/later.tsx";
import { ChatScreen, drawerPart, temporaryPart } from "../conversation/chat-screen.tsx";
import { presetsPart } from "../conversation/composer.tsx";
import { landingPart } from "../conversation/message/message-list.tsx";
import { loadRichReply } from "../conversation/message/reply-body.tsx";
import { usagePart } from "../conversation/message/usage-button.tsx";
import { leavingPart } from "../conversation/use-logout.tsx";
import { notePageShown } from "../ui/page-title.tsx";
import { useNameTab } from "./titled.tsx";

// Fetched while the chat itself is. If it fails, the first reply tries again and tells.
loadRichReply().catch(() => undefined);

const SETTLED_AFTER_MS = 2 * SECOND;
const behind: readonly { load: () => Promise<unknown> }[] = [
  ...[drawerPart, toolsPart, organiserPart, presetsPart, temporaryPart],
  ...[searchPart, leavingPart, usagePart, landingPart],
];

/** Of what failed, whoever needs it tells. */
function loadBehind(): void {
  for (const part of behind) part.load().catch(() => undefined);
}

export default function ChatPage() {
  const nameTab = useNameTab();
  useEffect(notePageShown, []);
  useEffect(() => {
    // So that each is there when it is asked for, also where the network is not.
    const timer = setTimeout(loadBehind, SETTLED_AFTER_MS);
    const unfollow = onReturn(loadBehind);
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, []);
  return <ChatScreen onTitle={nameTab} />;
}
