import { useTranslation } from "react-i18next";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { queueOf } from "./queue-of.ts";
import { Countdown } from "./refused-notice.tsx";

/** Beside the Retry of a failed answer: the time until it is repeated by itself, if it is. */
export function AnswerCountdown({ chat }: { chat: string }) {
  const { t } = useTranslation("app");
  const retries = queueOf(useChatSession()).answerRetries;
  const retryAt = useStore({ subscribe: retries.subscribe, get: () => retries.nextOf(chat) });
  const focusOnBox = useFocusOnBox();
  if (retryAt === null) return null;
  const cancel = () => {
    retries.cancel(chat);
    // The button is removed.
    focusOnBox();
  };
  return (
    <span className="flex items-center text-muted text-sm tabular-nums">
      <Countdown key={retryAt} until={retryAt} />
      <Button variant="quiet" size="small" onClick={cancel}>
        {t("cancel")}
      </Button>
    </span>
  );
}
