import { useEffect } from "react";
import { SECOND } from "#contract/limits.ts";
import { loadTools } from "../conversation/branches/later.tsx";
import { ChatScreen, loadTemporaryPane } from "../conversation/chat-screen.tsx";
import { loadRichReply } from "../conversation/message/reply-body.tsx";
import { loadLeavingQuestion } from "../conversation/use-logout.tsx";
import { notePageShown } from "../ui/page-title.tsx";
import { useNameTab } from "./titled.tsx";

// Fetched while the chat itself is. If it fails, the first reply tries again and tells.
loadRichReply().catch(() => undefined);

const SETTLED_AFTER_MS = 2 * SECOND;
const behind: readonly (() => Promise<unknown>)[] = [loadTools, loadTemporaryPane, loadLeavingQuestion];

export default function ChatPage() {
  const nameTab = useNameTab();
  useEffect(notePageShown, []);
  useEffect(() => {
    // So that each is there when it is asked for, also where the network is not.
    const timer = setTimeout(() => {
      for (const load of behind) load().catch(() => undefined);
    }, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <ChatScreen onTitle={nameTab} />;
}
