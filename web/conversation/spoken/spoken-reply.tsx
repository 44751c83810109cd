import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "#contract/limits.ts";
import type { AlertKind } from "#contract/text/alerts.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";
import { SentenceReader } from "./sentence-reader.ts";

registerTexts("replies", replies);

/** Interval at which new sentences are added to the live region, together. */
const PACE_MS = SECOND;
/** A live region reads additions only: earlier sentences need not stay, however long an answer is. */
const SENTENCES_MAX = 5;
/** Added sentences are removed again, so that a screen reader does not meet them a second time. */
const REMOVED_AFTER_MS = 10 * SECOND;
/**
 * Characters that are added at once; a voice reads about 30 a second. Sentences that wait beyond these are added later:
 * the layout of all that a fast model writes in a second would block the page.
 */
const MOST_AT_ONCE = 2000;

type SpokenReplyProps = { message: ClientMessage | undefined; isWriting: boolean };
type Sentences = { key: number; all: readonly string[] };

/** Live region with the sentences of a growing answer, for screen readers. */
export default function SpokenReply({ message, isWriting }: SpokenReplyProps) {
  const { t, i18n } = useTranslation(["chat", "replies"]);
  const [spoken, setSpoken] = useState<readonly Sentences[]>([]);
  const reader = useRef<{ of: string; reader: SentenceReader } | null>(null);
  const waiting = useRef<string[]>([]);
  const count = useRef(0);
  const isAnswer = message?.role === "assistant";

  const take = useEffectEvent((isWhole: boolean) => {
    if (!message || !isAnswer) return;
    // The same reader finishes an answer that it began, even if the answer was read from the server again.
    if (!reader.current || (!isWhole && reader.current.of !== message.key)) {
      const names = {
        code: (language: string) => (language === "" ? t("spoken.code") : t("spoken.codeIn", { language })),
        image: (name: string) => (name === "" ? t("imageUnnamed") : t("image", { name })),
        alert: (kind: AlertKind) => t(`replies:alerts.${kind}`),
      };
      reader.current = { of: message.key, reader: new SentenceReader(i18n.language, names, message.content.length) };
      waiting.current = [];
    }
    waiting.current.push(...reader.current.reader.take(message.content, isWhole));
  });
  const addWaiting = useEffectEvent(() => {
    const all = waiting.current.splice(0, countWithin(waiting.current, MOST_AT_ONCE));
    if (all.length === 0) return;
    const next = { key: ++count.current, all };
    setSpoken((before) => [...before, next].slice(-SENTENCES_MAX));
  });

  useEffect(() => {
    const speak = () => {
      take(!isWriting);
      addWaiting();
    };
    if (isWriting) {
      speak();
      const timer = setInterval(speak, PACE_MS);
      return () => clearInterval(timer);
    }
    if (reader.current) speak();
    reader.current = null;
    const speakRest = () => {
      addWaiting();
      timer = next();
    };
    const next = () =>
      waiting.current.length > 0 ? setTimeout(speakRest, PACE_MS) : setTimeout(() => setSpoken([]), REMOVED_AFTER_MS);
    let timer = next();
    return () => clearTimeout(timer);
  }, [isWriting]);

  return (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label={t("spoken.label")} className="sr-only">
      {spoken.map(({ key, all }) => (
        <p key={key}>
          {all.map((sentence, nth) => (
            // A block each: the layout of one line in two directions takes time quadratic in its length.
            // biome-ignore lint/suspicious/noArrayIndexKey: added sentences never change
            <span key={nth} className="block">
              {nth > 0 && " "}
              {sentence}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}

/** Returns how many of the sentences have at most `most` UTF-16 units together; at least the first. */
function countWithin(sentences: readonly string[], most: number): number {
  let length = 0;
  const beyond = sentences.findIndex((sentence, nth) => {
    length += sentence.length;
    return nth > 0 && length > most;
  });
  return beyond === -1 ? sentences.length : beyond;
}
