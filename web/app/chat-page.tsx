import { useEffect } from "react";
import { ChatScreen } from "../conversation/chat-screen.tsx";
import { loadRichReply } from "../conversation/message/reply-body.tsx";
import { notePageShown } from "../ui/page-title.tsx";
import { useNameTab } from "./titled.tsx";

// Fetched while the chat itself is. If it fails, the first reply tries again and tells.
loadRichReply().catch(() => undefined);

export default function ChatPage() {
  const nameTab = useNameTab();
  useEffect(notePageShown, []);
  return <ChatScreen onTitle={nameTab} />;
}
