import { useTranslation } from "react-i18next";
import { isRunning, WAITING } from "#contract/conversation/reply-state.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import type { ShownParts } from "./parts/part-types.ts";
import { ReplyBody } from "./reply-body.tsx";
import { Thinking } from "./thinking.tsx";

/** An answer with its parts, and its status if it did not end normally. `parts`: those of `useShownParts`. */
export function AnswerWords({ message, parts }: { message: ClientMessage; parts: ShownParts }) {
  const { state, content, seams } = message;
  const ending = useEnding(message);
  return (
    <>
      {parts.above}
      {message.loading ? (
        !parts.isBusy && <Thinking />
      ) : (
        <div dir="auto" data-words="">
          <ReplyBody
            text={content}
            seams={seams}
            inserts={parts.inserts}
            marks={parts.marks}
            isGrowing={isRunning(state)}
            prefix={message.key}
          />
        </div>
      )}
      {!message.loading && parts.below}
      {ending !== null && <p className="mt-3 text-muted text-sm">{ending}</p>}
    </>
  );
}

/** Failures that a retry does not fix, each with its own text. All other failures share one text. */
const SPECIFIC_CODES = [
  ...([
    "assistant-refused",
    "assistant-called-tools",
    "assistant-too-long",
    "assistant-misconfigured",
    "assistant-unsuited",
  ] as const),
  ...(["assistant-no-credit", "assistant-model-gone"] as const),
];

/** Returns the words below an answer that did not end normally. */
export function useEnding({ state, code, isTruncated }: ClientMessage): string | null {
  const { t } = useTranslation(["chat", "errors"]);
  if (isRunning(state) || state === WAITING) return null;
  if (state === "complete") return isTruncated ? t("messages.truncated") : null;
  const specific = SPECIFIC_CODES.find((each) => each === code);
  return specific && state === "failed" ? t(`errors:${specific}`) : t(`messages.${state}`);
}
