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
 * Characters that are read and added at once; a voice reads about 30 a second. Those beyond are read later: all that a
 * fast model writes in a second would block the page.
 */
const MOST_AT_ONCE = 2000;
/** Characters of the short sentences that share a line: an element for each of very many would be costly. */
const LINE = 200;

type SpokenReplyProps = { message: ClientMessage | undefined; isWriting: boolean };
type Sentences = { key: number; lines: readonly string[] };
/** `of`: key of the message that is read. `ended`: all of its text, once it has ended. */
type Reading = { of: string; reader: SentenceReader; ended: string | null };

/** Live region with the sentences of a growing answer, for screen readers. */
export default function SpokenReply({ message, isWriting }: SpokenReplyProps) {
  const { t, i18n } = useTranslation(["chat", "replies"]);
  const [spoken, setSpoken] = useState<readonly Sentences[]>([]);
  const reading = useRef<Reading | null>(null);
  const waiting = useRef<string[]>([]);
  const count = useRef(0);
  const isAnswer = message?.role === "assistant";

  const begin = useEffectEvent((): Reading | null => {
    if (!message || !isAnswer) return null;
    // The same reader finishes an answer that it began, even if the answer was read from the server again.
    if (reading.current?.of === message.key) {
      reading.current.ended = null;
      return reading.current;
    }
    const names = {
      code: (language: string) => (language === "" ? t("spoken.code") : t("spoken.codeIn", { language })),
      image: (name: string) => (name === "" ? t("imageUnnamed") : t("image", { name })),
      alert: (kind: AlertKind) => t(`replies:alerts.${kind}`),
    };
    const reader = new SentenceReader(i18n.language, names, message.content.length);
    waiting.current = [];
    reading.current = { of: message.key, reader, ended: null };
    return reading.current;
  });
  const end = useEffectEvent(() => {
    if (reading.current && isAnswer) reading.current.ended ??= message.content;
  });
  const speak = useEffectEvent(() => {
    const now = isWriting ? begin() : reading.current;
    const text = now?.ended ?? (isWriting ? message?.content : undefined);
    const isRead = now !== null && text !== undefined;
    if (isRead) waiting.current.push(...now.reader.take(text, !isWriting, MOST_AT_ONCE - lengthOf(waiting.current)));
    const all = waiting.current.splice(0, countWithin(waiting.current, MOST_AT_ONCE));
    if (all.length === 0) return;
    const next = { key: ++count.current, lines: linesOf(all) };
    setSpoken((before) => [...before, next].slice(-SENTENCES_MAX));
  });

  useEffect(() => {
    if (isWriting) {
      speak();
      const timer = setInterval(speak, PACE_MS);
      return () => clearInterval(timer);
    }
    end();
    speak();
    const speakRest = () => {
      speak();
      timer = next();
    };
    const next = () => {
      if (waiting.current.length > 0 || isLeft(reading.current)) return setTimeout(speakRest, PACE_MS);
      reading.current = null;
      return setTimeout(() => setSpoken([]), REMOVED_AFTER_MS);
    };
    let timer = next();
    return () => clearTimeout(timer);
  }, [isWriting]);

  return (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label={t("spoken.label")} className="sr-only">
      {spoken.map(({ key, lines }) => (
        <p key={key}>
          {lines.map((line, nth) => (
            // A block each: the layout of one line in two directions takes time quadratic in its length.
            // biome-ignore lint/suspicious/noArrayIndexKey: added sentences never change
            <span key={nth} className="block">
              {nth > 0 && " "}
              {line}
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

/** Returns whether text of an answer that has ended is not read yet. */
const isLeft = (reading: Reading | null) =>
  reading !== null && reading.ended !== null && !reading.reader.isAtEndOf(reading.ended);

const lengthOf = (sentences: readonly string[]) => sentences.reduce((sum, { length }) => sum + length, 0);

/** Joins sentences into lines of at most {@link LINE} UTF-16 units; a longer sentence has its own line. */
function linesOf(sentences: readonly string[]): string[] {
  const lines: string[] = [];
  for (const sentence of sentences) {
    const last = lines.at(-1);
    if (last === undefined || last.length + sentence.length >= LINE) lines.push(sentence);
    else lines[lines.length - 1] = `${last} ${sentence}`;
  }
  return lines;
}
