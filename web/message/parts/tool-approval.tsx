import { CircleAlert, Hammer } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import { Button, type ButtonVariant } from "../../ui/components/button.tsx";
import { useMessageContext } from "../message-context.ts";
import { useNoteLostFocus, useTakeLostFocus } from "./lost-focus.ts";
import { ToolArguments } from "./tool-arguments.tsx";
import { useToolName } from "./tool-name.ts";

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
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  useNoteLostFocus(card, calls);
  useTakeLostFocus(card, calls);
  const name = useToolName()(part);
  const { isSending, error, decide } = useDecision(part, reply);
  const isUnknown = part.state === "unknown";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div
      ref={card}
      role="group"
      // The card itself receives the focus of one before it: a key that is held down must not decide on this one.
      tabIndex={-1}
      aria-labelledby={id}
      className="grid max-w-measure gap-2.5 rounded-control border border-accent/35 bg-accent-soft px-3 py-2.5 text-ink text-sm leading-text focus-visible:outline-2 focus-visible:outline-accent focus-visible:outline-offset-2"
    >
      <div className="flex items-start gap-2.5">
        <Hammer aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <div id={id} className="font-medium">
            {t("tools.asks", { name })}
          </div>
          {isUnknown && <div>{t("tools.mayHaveRun")}</div>}
        </div>
      </div>
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
      <div role="alert" className="flex items-start gap-2 text-danger empty:hidden">
        {error !== null && (
          <>
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0">{error}</span>
          </>
        )}
      </div>
    </div>
  );
}

function useDecision({ seq, digest, attempt }: ToolPart, reply: string | null) {
  const { decide } = useMessageContext();
  const [isSending, setSending] = useState<DecisionAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);
  return {
    isSending,
    error,
    decide: async (answer: DecisionAnswer) => {
      if (isSending !== null || reply === null || !decide) return;
      setSending(answer);
      setError(null);
      setError(await decide({ reply, decisions: [{ seq, digest, attempt, answer }] }));
      setSending(null);
    },
  };
}
