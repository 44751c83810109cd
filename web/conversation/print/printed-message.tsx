import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isRunning } from "#contract/conversation/reply-state.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { filesOf } from "../../chats/state/file-parts.ts";
import { exactTime } from "../../locales/times.ts";
import { useEnding } from "../../message/answer-words.tsx";
import { useNamedModel } from "../../message/message-context.ts";
import { QuestionPieces } from "../../message/question-text.tsx";
import { ReplyBody } from "../../message/reply-body.tsx";
import { PrintedFiles } from "./printed-files.tsx";
import { printedParts } from "./printed-parts.tsx";

type PrintedMessagesProps = { messages: readonly ClientMessage[]; withReasoning: boolean };

/** A run of messages; memoised, so that adding one renders only its own messages. */
export const PrintedMessages = memo(function PrintedMessages({ messages, withReasoning }: PrintedMessagesProps) {
  return messages.map((message) => (
    <PrintedMessage key={message.key} message={message} withReasoning={withReasoning} />
  ));
});

function PrintedMessage({ message, withReasoning }: { message: ClientMessage; withReasoning: boolean }) {
  const { t, i18n } = useTranslation("chat");
  const { role, content, createdAt } = message;
  const isPerson = role === "user";
  const parts = useMemo(() => printedParts(message, withReasoning), [message, withReasoning]);
  const files = useMemo(() => filesOf(message), [message]);
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
      {parts.above}
      {files.length > 0 && <PrintedFiles files={files} />}
      {isPerson ? (
        content !== "" && (
          <div dir="auto" className="print-words">
            <QuestionPieces text={content} />
          </div>
        )
      ) : (
        <div dir="auto">
          {/* The page below has the same answer: another prefix keeps the ids of footnotes unique. */}
          <ReplyBody
            text={content}
            seams={message.seams}
            inserts={parts.inserts}
            isGrowing={false}
            prefix={`print-${message.key}`}
          />
        </div>
      )}
      {parts.below}
      {!isPerson && <Ending message={message} />}
    </article>
  );
}

function ModelName({ model }: { model: string }) {
  return <bdi>{useNamedModel(model)}</bdi>;
}

function Ending({ message }: { message: ClientMessage }) {
  const { t } = useTranslation("print");
  const ending = useEnding(message);
  const words = isRunning(message.state) ? t("writing") : ending;
  return words !== null && <p className="print-remark">{words}</p>;
}
