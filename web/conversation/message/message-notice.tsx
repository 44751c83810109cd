import { CloudOff, Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { WaitReason } from "../../chats/state/chats-state.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { AnswerActions } from "./answer-actions.tsx";

/** The reason for which the last message waits. */
export type Notice = "waiting" | "rateLimited" | "atCapacity" | "reconnecting" | "unanswered";

export const waitingNotices = {
  offline: "waiting",
  "rate-limited": "rateLimited",
  "at-capacity": "atCapacity",
  reconnecting: "reconnecting",
} as const satisfies Record<WaitReason, Notice>;

/** Whether the server has not accepted the message yet. */
export const isUnsent = (notice: Notice | null): boolean =>
  notice !== null && notice !== "reconnecting" && notice !== "unanswered";

type MessageNoticeProps = { notice: Notice; chat: string | null; className?: string };

/** Notice below the last message: what is missing, and the possible actions. */
export function MessageNotice({ notice, chat, className }: MessageNoticeProps) {
  const { t } = useTranslation("chat");
  return (
    <div className={cx("flex flex-wrap items-center gap-x-2 text-muted text-sm", className)}>
      {notice === "waiting" && <CloudOff aria-hidden="true" className="size-4 shrink-0" />}
      {isUnsent(notice) && notice !== "waiting" && <Hourglass aria-hidden="true" className="size-4 shrink-0" />}
      {notice === "reconnecting" && <Spinner />}
      <span>{t(`messages.${notice}`)}</span>
      {isUnsent(notice) && <CancelButton chat={chat} />}
      {notice === "unanswered" && chat !== null && <AnswerActions chat={chat} modes={["retry"]} />}
    </div>
  );
}

function CancelButton({ chat }: { chat: string | null }) {
  const { t } = useTranslation("app");
  const { replies } = useChatSession();
  const focusOnBox = useFocusOnBox();
  const cancel = () => {
    replies.cancel(chat);
    focusOnBox();
  };
  return (
    <Button variant="quiet" size="small" onClick={cancel}>
      {t("cancel")}
    </Button>
  );
}
