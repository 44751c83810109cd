import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import { Button, type ButtonVariant } from "../../ui/components/button.tsx";
import { QuestionCard } from "../tools/question-card.tsx";
import { EffectOfCall } from "../tools/server-of-call.tsx";
import { ToolArguments } from "../tools/tool-arguments.tsx";
import { useToolName } from "../tools/tool-name.ts";
import { useDecision } from "../tools/use-decision.ts";

type Choice = { answer: DecisionAnswer; label: "once" | "no" | "chat" | "always" | "again" | "skip" };

const CHOICES: readonly Choice[] = (["once", "no", "chat", "always"] as const).map((each) => ({
  answer: each,
  label: each,
}));
const CHOICES_OF_UNKNOWN: readonly Choice[] = [
  { answer: "once", label: "again" },
  { answer: "skip", label: "skip" },
];

const VARIANTS: readonly ButtonVariant[] = ["primary", "secondary"];

type ToolApprovalProps = {
  part: ToolPart;
  /** Id of the message. */
  reply: string | null;
  /** Key of the calls at its position. */
  calls: string;
};

/** Asks for a decision on a call, with the arguments as they are sent. */
export function ToolApproval({ part, reply, calls }: ToolApprovalProps) {
  const { t } = useTranslation("parts");
  const name = useToolName()(part);
  const { isSending, error, decide } = useDecision(part, reply);
  const { from, effect } = part;
  const isUnknown = part.state === "unknown";
  return (
    <QuestionCard
      title={from ? t("tools.asksOf", { name, server: from.name }) : t("tools.asks", { name })}
      text={
        <>
          <EffectOfCall from={from} effect={effect} />
          {isUnknown && <div>{t("tools.mayHaveRun")}</div>}
        </>
      }
      calls={calls}
      error={error}
    >
      <ToolArguments json={part.arguments} label={t("tools.arguments", { name })} />
      <div className="flex flex-wrap gap-2">
        {(isUnknown ? CHOICES_OF_UNKNOWN : CHOICES).map(({ answer, label }, index) => (
          <Button
            key={answer}
            variant={VARIANTS[index] ?? "quiet"}
            size="small"
            busy={isSending === answer}
            // Not disabled, which would lose the focus.
            aria-disabled={isSending !== null}
            onClick={() => void decide(answer)}
          >
            {t(`tools.answers.${label}`)}
          </Button>
        ))}
      </div>
    </QuestionCard>
  );
}
