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

type SpokenReplyProps = { message: ClientMessage | undefined; isWriting: boolean };
type Sentences = { key: number; all: readonly string[] };

/** Live region with the sentences of a growing answer, for screen readers. */
export default function SpokenReply({ message, isWriting }: SpokenReplyProps) {
  const { t, i18n } = useTranslation(["chat", "replies"]);
  const [spoken, setSpoken] = useState<readonly Sentences[]>([]);
  const reader = useRef<{ of: string; reader: SentenceReader } | null>(null);
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
    }
    const sentences = reader.current.reader.take(message.content, isWhole);
    if (sentences.length === 0) return;
    const next = { key: ++count.current, all: sentences };
    setSpoken((before) => [...before, next].slice(-SENTENCES_MAX));
  });

  useEffect(() => {
    if (!isWriting) {
      if (reader.current) take(true);
      reader.current = null;
      const timer = setTimeout(() => setSpoken([]), REMOVED_AFTER_MS);
      return () => clearTimeout(timer);
    }
    take(false);
    const timer = setInterval(() => take(false), PACE_MS);
    return () => clearInterval(timer);
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
