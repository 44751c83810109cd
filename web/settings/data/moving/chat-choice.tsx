import { useDeferredValue, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SurveyedChat } from "#contract/transfer/services/survey.ts";
import { useFocusRendered } from "../../../page/use-focus-rendered.ts";
import { Button } from "../../../ui/components/button.tsx";
import { Field } from "../../../ui/components/fields/field.tsx";
import { ChatLine, lineId } from "./chat-line.tsx";

/** Chats that are rendered at first, and with each request for more: a file may have 10,000. */
const SHOWN = 100;

type ChatChoiceProps = {
  chats: readonly SurveyedChat[];
  /** Positions of the chosen chats. */
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
};

/** Chats of a file with checkboxes, newest first, and a search in their titles. */
export function ChatChoice({ chats, chosen, onChange }: ChatChoiceProps) {
  const { t, i18n } = useTranslation("moving");
  const title = useId();
  const [words, setWords] = useState("");
  const searched = useDeferredValue(words.trim().toLowerCase());
  const newest = useMemo(() => chats.toSorted((a, b) => b.updatedAt - a.updatedAt), [chats]);
  const found = useMemo(() => newest.filter((chat) => chat.title.toLowerCase().includes(searched)), [newest, searched]);
  const numbers = new Intl.NumberFormat(i18n.language);
  const choose = (some: readonly SurveyedChat[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const { position } of some) {
      if (isChosen) next.add(position);
      else next.delete(position);
    }
    onChange(next);
  };
  return (
    <section aria-labelledby={title}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h4 id={title} className="font-medium text-sm">
          {t("choice.title")}
        </h4>
        <p role="status" className="text-muted text-sm tabular-nums">
          {t("choice.chosen", { chosen: numbers.format(chosen.size), all: numbers.format(chats.length) })}
        </p>
      </div>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <Field
          className="min-w-0 flex-1 basis-48"
          label={t("choice.search")}
          type="search"
          autoComplete="off"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <div className="flex gap-2">
          {/* Both act on the chats that the search has found. */}
          <Button variant="secondary" className="min-h-11" onClick={() => choose(found, true)}>
            {t("choice.all")}
          </Button>
          <Button variant="secondary" className="min-h-11" onClick={() => choose(found, false)}>
            {t("choice.none")}
          </Button>
        </div>
      </div>
      <ChatLines key={searched} label={title} chats={found} chosen={chosen} onChoose={choose} />
    </section>
  );
}

type ChatLinesProps = {
  /** Id of the label. */
  label: string;
  chats: readonly SurveyedChat[];
  chosen: ReadonlySet<number>;
  onChoose: (chats: readonly SurveyedChat[], isChosen: boolean) => void;
};

function ChatLines({ label, chats, chosen, onChoose }: ChatLinesProps) {
  const { t } = useTranslation("moving");
  const [shown, setShown] = useState(SHOWN);
  const focusRendered = useFocusRendered();
  const showMore = () => {
    setShown(shown + SHOWN);
    const next = chats[shown];
    if (next) focusRendered(lineId(next.position));
  };
  if (chats.length === 0) return <p className="mt-3 text-muted text-sm">{t("choice.nothing")}</p>;
  return (
    <div className="mt-3 max-h-96 overflow-y-auto rounded-control border border-hairline">
      <ul aria-labelledby={label} className="divide-y divide-hairline">
        {chats.slice(0, shown).map((chat) => (
          <ChatLine
            key={chat.position}
            chat={chat}
            isChosen={chosen.has(chat.position)}
            onChoose={(isChosen) => onChoose([chat], isChosen)}
          />
        ))}
      </ul>
      {chats.length > shown && (
        <Button variant="quiet" size="small" className="w-full text-muted" onClick={showMore}>
          {t("choice.more")}
        </Button>
      )}
    </div>
  );
}
