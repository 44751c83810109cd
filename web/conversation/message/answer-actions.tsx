import { CornerDownRight, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import { useModelChoice } from "../../models/model-choice.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { LazyRetryMenu } from "../branches/lazy-tools.tsx";
import { useChatSession, useIsTemporary } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { queueModule } from "../queue/queue-module.ts";
import type { AnswerMode } from "./answer-modes.ts";

const icons = { continue: CornerDownRight, retry: RotateCcw };

/** Buttons that complete or replace an incomplete answer, by the current model. */
export function AnswerActions({ chat, modes }: { chat: string; modes: readonly AnswerMode[] }) {
  const { t } = useTranslation("chat");
  const { replies, modelChoice } = useChatSession();
  const { value } = useModelChoice(modelChoice);
  const model = useModelName(modelChoice, value);
  const focusOnBox = useFocusOnBox();
  const isTemporary = useIsTemporary();
  // The server stores no temporary reply, so it cannot continue one.
  const possible = isTemporary ? modes.filter((mode) => mode !== "continue") : modes;
  const queue = useLazyModule(queueModule, possible.length > 0);
  const buttons = possible.map((mode) => {
    const Icon = icons[mode];
    const ask = () => {
      void replies.answer(chat, mode, value);
      // Removing the button must not lose the focus.
      focusOnBox();
    };
    return (
      <Button
        key={mode}
        variant="quiet"
        size="small"
        className="px-2.5"
        {...tooltip(mode === "retry" && value !== AUTO_MODEL ? t("messages.retryWith", { model }) : undefined)}
        onClick={ask}
      >
        <Icon aria-hidden="true" className={cx("size-4 text-muted", mode === "continue" && "rtl:-scale-x-100")} />
        {t(`messages.${mode}`)}
      </Button>
    );
  });
  return (
    <>
      {buttons}
      {possible.includes("retry") && <LazyRetryMenu chat={chat} />}
      {queue && <queue.AnswerCountdown chat={chat} />}
    </>
  );
}
