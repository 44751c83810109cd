import { useTranslation } from "react-i18next";
import type { SurveyedChat } from "#contract/transfer/services/survey.ts";

/** Id of the checkbox of a chat. */
export const lineId = (position: number) => `chat-of-file-${position}`;

type ChatLineProps = { chat: SurveyedChat; isChosen: boolean; onChoose: (isChosen: boolean) => void };

/** A chat of a file, with its checkbox. */
export function ChatLine({ chat, isChosen, onChoose }: ChatLineProps) {
  const { t, i18n } = useTranslation("moving");
  const { position, title, updatedAt, messages, files } = chat;
  const facts = [
    new Date(updatedAt).toLocaleDateString(i18n.language, { dateStyle: "medium" }),
    t("choice.messages", { count: messages }),
    ...(files > 0 ? [t("choice.files", { count: files })] : []),
  ];
  return (
    <li>
      <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 hover:bg-hover">
        <input
          id={lineId(position)}
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
        <span className="min-w-0 flex-1 text-sm">
          <span dir="auto" className="own-way block break-words">
            {title === "" ? t("choice.untitled") : title}
          </span>
          <span className="block text-muted text-xs tabular-nums">{facts.join(" · ")}</span>
        </span>
      </label>
    </li>
  );
}
