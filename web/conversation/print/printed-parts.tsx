import "../../message/parts/parts.css";
import { type ReasoningPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import parts from "../../locales/en/parts.json";
import { registerTexts } from "../../locales/i18n.ts";
import type { BlockInsert } from "../../markdown/inserts.ts";
import { NoticeLine } from "../../message/parts/notice-line.tsx";
import type { ShownParts } from "../../message/parts/part-types.ts";
import { ReasoningTime } from "../../message/parts/reasoning-time.tsx";
import { ReplyBody } from "../../message/reply-body.tsx";

registerTexts("parts", parts);

/** Returns the reasoning of a part that has any. */
export function toReasoning(part: MessagePart): ReasoningPart | undefined {
  const known = toKnownPart(part);
  return known?.kind === "reasoning" && known.text.trim() !== "" ? known : undefined;
}

/** Returns the notices of a message for paper and, if `withReasoning`, its reasoning. */
export function printedParts(
  { key, parts: all = [] }: ClientMessage,
  withReasoning: boolean,
): Pick<ShownParts, "above" | "inserts"> {
  const elements = all.flatMap((part): BlockInsert[] => {
    const element = elementOf(part, key, withReasoning);
    return element ? [{ key: `${part.seq}`, at: part.at, element }] : [];
  });
  return {
    above: elements.filter(({ at }) => at === 0).map(({ element }) => element),
    inserts: elements.filter(({ at }) => at > 0),
  };
}

function elementOf(part: MessagePart, message: string, withReasoning: boolean) {
  const known = toKnownPart(part);
  if (known?.kind === "notice") return <NoticeLine key={part.seq} notice={known} />;
  const reasoning = withReasoning ? toReasoning(part) : undefined;
  return reasoning && <PrintedReasoning key={part.seq} part={reasoning} message={message} />;
}

function PrintedReasoning({ part, message }: { part: ReasoningPart; message: string }) {
  const { text, seq, durationMs } = part;
  return (
    <section className="part-line print-reasoning">
      <h3>
        <ReasoningTime durationMs={durationMs} />
      </h3>
      <div dir="auto" className="reasoning-text">
        <ReplyBody text={text} isGrowing={false} prefix={`print-${message}-${seq}`} />
      </div>
    </section>
  );
}
