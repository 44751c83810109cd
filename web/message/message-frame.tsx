import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { exactTime } from "../locales/times.ts";
import { cx } from "../ui/components/cx.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";
import { useNamedModel } from "./message-context.ts";

/** `isFar`: the message is laid out only near the view. `children`: its words and actions. */
type MessageFrameProps = { message: ClientMessage; isFar: boolean; children: ReactNode };

/** The list item of a message, with its author and time. */
export function MessageFrame({ message, isFar, children }: MessageFrameProps) {
  const isPerson = message.role === "user";
  return (
    <li className={cx("message group/message flex flex-col", isPerson && "-mb-2 items-end", isFar && "message-far")}>
      <MessageLabel message={message} />
      {children}
    </li>
  );
}

function MessageLabel({ message: { role, model, createdAt } }: { message: ClientMessage }) {
  const { t, i18n } = useTranslation("chat");
  const now = t("messages.now");
  return (
    <div className="mb-1.5 flex min-w-0 items-baseline gap-2 text-muted text-xs">
      {/* Screen reader users navigate messages by headings. */}
      <h2 className="shrink-0 font-medium">{role === "user" ? t("messages.you") : t("messages.server")}</h2>
      {createdAt === undefined ? (
        <span>{now}</span>
      ) : (
        <time dateTime={new Date(createdAt).toISOString()} {...tooltip(exactTime(createdAt, i18n.language))}>
          {now}
        </time>
      )}
      {/* Last, because it comes while the answer is written: the time must not move. */}
      {typeof model === "string" && <ModelName model={model} />}
    </div>
  );
}

function ModelName({ model }: { model: string }) {
  return <bdi className="truncate">{useNamedModel(model)}</bdi>;
}
