import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRunning, WAITING } from "#contract/conversation/reply-state.ts";
import type { ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import { waitingNotices } from "./message-notice.tsx";

/** Text of a live region for the state of the answer; not its text, which would be read piece by piece. */
export function ReplyStatus({ message, conversation }: { message: ClientMessage; conversation: Conversation }) {
  const { t } = useTranslation("chat");
  const { isWriting, waitReason } = conversation;
  const [wasWriting, setWasWriting] = useState(isWriting);
  if (isWriting && !wasWriting) setWasWriting(true);
  if (waitReason !== null) return t(`messages.${waitingNotices[waitReason]}`);
  // Announced once; the reasoning itself is not read out.
  const isThinking = message.loading && message.parts?.some(({ kind }) => kind === "reasoning");
  if (isWriting) return t(isThinking ? "messages.thinking" : "messages.writing");
  if (!wasWriting || message.role !== "assistant" || isRunning(message.state) || message.state === WAITING) return null;
  return t(message.isTruncated ? "messages.truncated" : `messages.${message.state}`);
}
