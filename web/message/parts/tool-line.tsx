import { ChevronRight, Hammer } from "lucide-react";
import { type Ref, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolPart, ToolState } from "#contract/conversation/known-parts.ts";
import type { ToolQuestion } from "#contract/conversation/tool-forms.ts";
import { needsDecision } from "../../chats/state/needs-decision.ts";
import { parseObject } from "../../reply/reply-text.ts";
import { useKeepPosition } from "../../scroll/keep-position.ts";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useMessageContext } from "../message-context.ts";
import { CallProgress } from "../tools/call-progress.tsx";
import { useNoteLostFocus, useTakeLostFocus } from "../tools/lost-focus.ts";
import { QuestionCard } from "../tools/question-card.tsx";
import { useToolName } from "../tools/tool-name.ts";
import type { PartOwner } from "./part-types.ts";
import { durationWords } from "./reasoning-time.tsx";
import { ToolApproval } from "./tool-approval.tsx";
import { ToolCall } from "./tool-call.tsx";

/** Whether a call is being run, or will be. */
export const isActive = ({ state }: ToolPart): boolean => state === "approved" || state === "sent";

/** Whether the reader has opened a list of calls, by the keys of message and part. */
const opened = { create: () => new Map<string, boolean>() };

type ToolCallsProps = { calls: readonly ToolPart[]; owner: PartOwner };

/** The calls at one position of an answer: a line for those that are decided, and a card for each that asks. */
export function ToolCalls({ calls, owner }: ToolCallsProps) {
  const { t, i18n } = useTranslation("parts");
  const pending = pendingCalls(calls, owner);
  const decided = calls.filter((call) => !pending.includes(call));
  const key = callsKey(calls, owner);
  const button = useRef<HTMLButtonElement>(null);
  // Runs after the effects of the cards: the next card receives the focus before the line.
  useTakeLostFocus(button, key);
  return (
    <div dir={i18n.dir()} className="part-line part-tools mb-3 grid gap-3 print:hidden">
      {decided.length > 0 && <ToolLine calls={decided} owner={owner} button={button} />}
      {pending.map((call) =>
        call.question && call.state !== "unknown" ? (
          <AskingCall
            key={`${call.seq} ${call.question.id}`}
            part={call}
            question={call.question}
            reply={owner.id}
            calls={key}
          />
        ) : (
          <ToolApproval key={call.seq} part={call} reply={owner.id} calls={key} />
        ),
      )}
      {owner.isWaiting && pending.length > 0 && (
        <p className="text-muted text-xs">{t("tools.declines", { count: pending.length })}</p>
      )}
      <Announcement call={pending[0]} />
    </div>
  );
}

/** Returns the calls that wait for the person: in a reply that is being written, those that ask while they run. */
function pendingCalls(calls: readonly ToolPart[], { isWaiting, isWriting }: PartOwner): readonly ToolPart[] {
  if (isWaiting) return calls.filter((call) => needsDecision(call) && (call.state !== "asking" || call.question));
  return isWriting ? calls.filter(({ state, question }) => question !== undefined && ASKING.includes(state)) : [];
}

const ASKING: readonly ToolState[] = ["sent", "asking"];

/** Loaded with the first call that asks by a form. */
const questionModule = lazyModule(() => import("../tools/tool-question.tsx"));

type AskingCallProps = { part: ToolPart; question: ToolQuestion; reply: string | null; calls: string };

function AskingCall(props: AskingCallProps) {
  const { t } = useTranslation("parts");
  const nameOf = useToolName();
  const loaded = useLazyModule(questionModule);
  if (loaded) return <loaded.default {...props} />;
  const { part, calls } = props;
  return (
    <QuestionCard title={t("tools.asksYou", { name: part.from?.name ?? nameOf(part) })} calls={calls}>
      <Spinner />
    </QuestionCard>
  );
}

/** Key of the calls at one position of an answer. */
const callsKey = (calls: readonly ToolPart[], owner: PartOwner) => `${owner.key} ${calls[0]?.at}`;

/** Rendered empty at first: screen readers announce only later changes of a live region. */
function Announcement({ call }: { call: ToolPart | undefined }) {
  const { t } = useTranslation("parts");
  const nameOf = useToolName();
  const name = call ? nameOf(call) : "";
  const asked = call?.question ? t("tools.asksYou", { name: call.from?.name ?? name }) : t("tools.asks", { name });
  const words = call ? asked : "";
  const [announced, setAnnounced] = useState("");
  useEffect(() => setAnnounced(words), [words]);
  return (
    <span role="status" className="sr-only">
      {announced}
    </span>
  );
}

type ToolLineProps = ToolCallsProps & { button: Ref<HTMLButtonElement> };

function ToolLine({ calls, owner, button }: ToolLineProps) {
  const { t } = useTranslation("parts");
  const id = useId();
  const { memory } = useMessageContext();
  const key = callsKey(calls, owner);
  const line = useRef<HTMLDivElement>(null);
  useNoteLostFocus(line, key);
  const [isOpen, setOpen] = useState(() => memory.get(opened).get(key) ?? false);
  const label = useLineLabel(calls, owner);
  const keepPosition = useKeepPosition();
  const isBusy = owner.isWriting && calls.some(isActive);
  return (
    <div ref={line}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="reasoning-button reading flex max-w-full items-center gap-x-2.5 rounded-small text-start text-muted leading-reading hover:text-ink"
        onClick={({ currentTarget }) => {
          keepPosition(currentTarget);
          memory.get(opened).set(key, !isOpen);
          setOpen(!isOpen);
        }}
      >
        {isBusy ? <Spinner /> : <Hammer aria-hidden="true" className="size-4 shrink-0" />}
        <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
        <ChevronRight
          aria-hidden="true"
          className={cx("size-4 shrink-0 transition-transform", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
        />
      </button>
      {isBusy && calls.map((call) => isActive(call) && call.progress && <CallProgress key={call.seq} part={call} />)}
      {isOpen && (
        <ul
          id={id}
          aria-label={t("tools.label")}
          className="mt-2 grid grid-cols-1 gap-4 border-hairline border-s-2 ps-4 text-muted text-sm leading-text"
        >
          {calls.map((call) => (
            <ToolCall key={call.seq} part={call} isReplyRunning={owner.isWriting || owner.isWaiting} />
          ))}
        </ul>
      )}
    </div>
  );
}

function useLineLabel(calls: readonly ToolPart[], { isWriting, isWaiting }: PartOwner): string {
  const { t, i18n } = useTranslation("parts");
  const nameOf = useToolName();
  const active = isWriting || isWaiting ? calls.filter(isActive) : [];
  if (active.length > 0) {
    const names = new Set(active.map((call) => `${nameOf(call)}${argumentHint(call)}`));
    return t("tools.using", { names: new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(names) });
  }
  const count = calls.length;
  const durationMs = timeOfCalls(calls);
  const words =
    durationMs === 0
      ? t("tools.steps", { count })
      : t("tools.done", { count, time: durationWords(durationMs, i18n.language) });
  const failed = calls.filter(({ state }) => state === "failed").length;
  return failed === 0 ? words : `${words} · ${t("tools.failed", { count: failed })}`;
}

/** Longest argument (UTF-16 units) that the line of running calls shows. */
const HINT_MAX = 60;

/** Returns the first text among the arguments of a call, such as a query, in brackets if it is short; else nothing. */
function argumentHint({ arguments: json }: ToolPart): string {
  const first = Object.values(parseObject(json) ?? {}).find((value) => typeof value === "string");
  return typeof first === "string" && first !== "" && first.length <= HINT_MAX ? ` (${first})` : "";
}

/** Returns how long (ms) the calls took: those of a step run at once. */
function timeOfCalls(calls: readonly ToolPart[]): number {
  const steps = Map.groupBy(calls, ({ step }) => step);
  return [...steps.values()]
    .map((ofStep) => Math.max(...ofStep.map(({ durationMs = 0 }) => durationMs)))
    .reduce((sum, longest) => sum + longest, 0);
}
