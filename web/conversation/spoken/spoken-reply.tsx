import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "#contract/limits.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { SentenceReader } from "./sentence-reader.ts";

/** So often new sentences are handed to a screen reader, together. */
const PACE_MS = SECOND;
/** Only what is added is read out: what was read before need not stay, however long an answer is. */
const MOST_KEPT = 5;
/** What was handed over leaves the page again, where it would be met a second time. */
const KEPT_MS = 10 * SECOND;

type SpokenReplyProps = { message: ClientMessage | undefined; isWriting: boolean };
type Sentences = { key: number; words: string };

/** The words of an answer for those who do not see them grow: sentence by sentence, as they can listen. */
export default function SpokenReply({ message, isWriting }: SpokenReplyProps) {
  const { t, i18n } = useTranslation("chat");
  const [spoken, setSpoken] = useState<readonly Sentences[]>([]);
  const reader = useRef<{ of: string; reader: SentenceReader } | null>(null);
  const count = useRef(0);
  const isAnswer = message?.role === "assistant";

  const take = useEffectEvent((isWhole: boolean) => {
    if (!message || !isAnswer) return;
    // The end of an answer is read by whoever read its beginning, also where it has been read anew from the server.
    if (!reader.current || (!isWhole && reader.current.of !== message.key)) {
      const names = {
        code: (language: string) => (language === "" ? t("spoken.code") : t("spoken.codeIn", { language })),
        image: (name: string) => (name === "" ? t("imageUnnamed") : t("image", { name })),
      };
      reader.current = { of: message.key, reader: new SentenceReader(i18n.language, names, message.content.length) };
    }
    const sentences = reader.current.reader.take(message.content, isWhole);
    if (sentences.length === 0) return;
    const next = { key: ++count.current, words: sentences.join(" ") };
    setSpoken((before) => [...before, next].slice(-MOST_KEPT));
  });

  useEffect(() => {
    if (!isWriting) {
      if (reader.current) take(true);
      reader.current = null;
      const timer = setTimeout(() => setSpoken([]), KEPT_MS);
      return () => clearTimeout(timer);
    }
    take(false);
    const timer = setInterval(() => take(false), PACE_MS);
    return () => clearInterval(timer);
  }, [isWriting]);

  return (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label={t("spoken.label")} className="sr-only">
      {spoken.map(({ key, words }) => (
        <p key={key}>{words}</p>
      ))}
    </div>
  );
}
