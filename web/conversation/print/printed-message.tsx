import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { exactTime } from "../../locales/times.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { useChatSession } from "../chat-session.ts";
import { useEnding } from "../message/assistant-words.tsx";
import { QuestionPieces } from "../message/question-text.tsx";
import { ReplyBody } from "../message/reply-body.tsx";

/** A run of messages; memoised, so that adding one renders only its own messages. */
export const PrintedMessages = memo(function PrintedMessages({ messages }: { messages: readonly ClientMessage[] }) {
  return messages.map((message) => <PrintedMessage key={message.key} message={message} />);
});

function PrintedMessage({ message }: { message: ClientMessage }) {
  const { t, i18n } = useTranslation("chat");
  const { role, content, createdAt } = message;
  const isPerson = role === "user";
  return (
    <article className={isPerson ? "print-question" : "print-answer"}>
      <h2>
        {isPerson ? t("messages.you") : t("messages.server")}
        <small>
          {typeof message.model === "string" && <ModelName model={message.model} />}
          {createdAt !== undefined && (
            <time dateTime={new Date(createdAt).toISOString()}>{exactTime(createdAt, i18n.language)}</time>
          )}
        </small>
      </h2>
      <div dir="auto">
        {isPerson ? (
          <div className="print-words">
            <QuestionPieces text={content} />
          </div>
        ) : (
          // The page below has the same answer: another prefix keeps the ids of footnotes unique.
          <ReplyBody text={content} seams={message.seams} isGrowing={false} prefix={`print-${message.key}`} />
        )}
      </div>
      {!isPerson && <Ending message={message} />}
    </article>
  );
}

function ModelName({ model }: { model: string }) {
  return <bdi>{useModelName(useChatSession().modelChoice, model)}</bdi>;
}

function Ending({ message }: { message: ClientMessage }) {
  const { t } = useTranslation("print");
  const ending = useEnding(message);
  const words = message.state === "writing" ? t("writing") : ending;
  return words !== null && <p className="print-remark">{words}</p>;
}
