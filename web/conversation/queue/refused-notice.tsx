import { CircleAlert, Pencil, RotateCcw } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { waitText } from "../../api/wait-text.ts";
import { countDown } from "../../forms/count-down.ts";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { queueOf } from "./queue-of.ts";
import { chatOfQueued } from "./queued-draft-keys.ts";

/** Below a question that the server has refused: says so, with the possible actions. */
export function RefusedNotice({ draftKey }: { draftKey: string }) {
  const { t } = useTranslation(["queue", "app"]);
  const queue = queueOf(useChatSession());
  const { canSend } = useStore({ subscribe: queue.subscribe, get: () => queue.get(chatOfQueued(draftKey)) });
  const retryAt = useStore({ subscribe: queue.subscribe, get: () => queue.retries.nextOf(draftKey) });
  const focusOnBox = useFocusOnBox();
  const id = useId();
  const command = (act: () => void, isToWrite = false) => ({
    variant: "quiet" as const,
    size: "small" as const,
    "aria-describedby": id,
    // The button is removed.
    onClick: () => {
      act();
      focusOnBox(isToWrite);
    },
  });
  return (
    // Its parts wrap together with the message's own buttons.
    <div className="contents text-muted text-sm">
      <span id={id} className="me-1.5 flex items-center gap-1">
        <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
        {t("refused")}
      </span>
      {retryAt !== null && (
        <>
          <Countdown key={retryAt} until={retryAt} />
          <Button {...command(() => queue.retries.cancel(draftKey))}>{t("app:cancel")}</Button>
        </>
      )}
      <Button {...command(() => queue.sendNow(draftKey))} disabled={!canSend}>
        <RotateCcw aria-hidden="true" className="size-4 text-muted" />
        {t("tryAgain")}
      </Button>
      <Button {...command(() => queue.cancel(draftKey), true)}>
        <Pencil aria-hidden="true" className="size-4 text-muted" />
        {t("edit")}
      </Button>
    </div>
  );
}

/** Not a live region: a screen reader would read each second. */
export function Countdown({ until }: { until: number }) {
  const { t } = useTranslation("queue");
  const [leftMs, setLeft] = useState(() => until - performance.now());
  useEffect(() => countDown(until, setLeft), [until]);
  return <span className="me-1">{t("retryIn", { wait: waitText(leftMs) })}</span>;
}
