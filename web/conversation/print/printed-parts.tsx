import "../../message/parts/parts.css";
import { useTranslation } from "react-i18next";
import { type CitedSource, citedSources, webAddressOf } from "#contract/conversation/citations/cited-sources.ts";
import { type ReasoningPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import parts from "../../locales/en/parts.json";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";
import type { BlockInsert } from "../../markdown/inserts.ts";
import { NoticeLine } from "../../message/parts/notice-line.tsx";
import type { ShownParts } from "../../message/parts/part-types.ts";
import { ReasoningTime } from "../../message/parts/reasoning-time.tsx";
import { ReplyBody } from "../../message/reply-body.tsx";

registerTexts("parts", parts);
registerTexts("replies", replies);

/** Returns the reasoning of a part that has any. */
export function toReasoning(part: MessagePart): ReasoningPart | undefined {
  const known = toKnownPart(part);
  return known?.kind === "reasoning" && known.text.trim() !== "" ? known : undefined;
}

/** Returns the notices and the sources of a message for paper and, if `withReasoning`, its reasoning. */
export function printedParts(
  { key, parts: all = [] }: ClientMessage,
  withReasoning: boolean,
): Pick<ShownParts, "above" | "inserts" | "below"> {
  const elements = all.flatMap((part): BlockInsert[] => {
    const element = elementOf(part, key, withReasoning);
    return element ? [{ key: `${part.seq}`, at: part.at, element }] : [];
  });
  const sources = citedSources(all);
  return {
    above: elements.filter(({ at }) => at === 0).map(({ element }) => element),
    inserts: elements.filter(({ at }) => at > 0),
    ...(sources.length > 0 && { below: <PrintedSources sources={sources} /> }),
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

/** The sources of an answer with their addresses, which paper cannot open. */
function PrintedSources({ sources }: { sources: readonly CitedSource[] }) {
  const { t, i18n } = useTranslation(["replies", "parts"]);
  return (
    <section dir={i18n.dir()} className="part-line print-sources">
      <h3>{t("replies:sources.heading")}</h3>
      <ul>
        {sources.map(({ number, url, title, isMissing }) => (
          <li key={`${number} ${url}`}>
            [{number}] <bdi>{title}</bdi>
            <SourceAddress address={webAddressOf(url)} />
            {isMissing && ` (${t("replies:sources.missing")})`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceAddress({ address }: { address: string | null }) {
  if (address === null) return null;
  return (
    <>
      {" "}
      <bdi>
        <a href={address}>{address}</a>
      </bdi>
    </>
  );
}
