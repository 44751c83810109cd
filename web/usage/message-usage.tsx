import { Popover } from "radix-ui";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { modelPaths } from "#contract/models/paths.ts";
import { type CallUsage, messageUsageSchema, type MessageUsage as Usage } from "#contract/models/usage.ts";
import { api } from "../api/client.ts";
import { costText } from "../locales/cost-text.ts";
import { cx } from "../ui/components/cx.ts";
import { useLandmark } from "../ui/components/landmark.tsx";
import { Skeleton } from "../ui/components/skeleton.tsx";
import { durationText, modelName, shareTexts, tokensText } from "./usage-words.ts";

export type MessageUsageProps = {
  chat: string;
  message: string;
  /** Button that opened the popover. */
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

/** Popover with the usage of an answer, beside the button that opened it. */
export default function MessageUsage({ chat, message, anchor, onClose }: MessageUsageProps) {
  const { t } = useTranslation("usage");
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Popover.Portal container={useLandmark()}>
        <Popover.Content
          aria-label={t("ofAnswer")}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={(event) => {
            // The button's own click closes the popover; otherwise it would close and reopen.
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus();
          }}
          className="z-40 w-64 animate-appear rounded-surface border border-hairline bg-raised px-4 py-3 text-sm shadow-float"
        >
          <Details chat={chat} message={message} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Details({ chat, message }: Pick<MessageUsageProps, "chat" | "message">) {
  const { t } = useTranslation("usage");
  const [value, setValue] = useState<Usage | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const reading = new AbortController();
    api
      .get(modelPaths.messageUsage(chat, message), messageUsageSchema, { signal: reading.signal })
      .then(setValue, () => setHasFailed(!reading.signal.aborted));
    return () => reading.abort();
  }, [chat, message]);
  if (hasFailed) return <p role="alert">{t("failed")}</p>;
  if (value === null) return <Loading />;
  if (value.calls.length === 0) return <p className="text-pretty text-muted leading-text">{t("none")}</p>;
  return <Numbers usage={value} />;
}

function Loading() {
  const { t } = useTranslation("usage");
  return (
    <div role="status" className="flex flex-col gap-2 py-1">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-4/5" />
    </div>
  );
}

type Line = { name: string; text: string; isName?: boolean; shares?: string[] };

function Numbers({ usage }: { usage: Usage }) {
  const { t, i18n } = useTranslation("usage");
  const locale = i18n.language;
  const { calls, inputTokens, outputTokens, estimated, cost, durationMs } = usage;
  const isEstimate = estimated > 0;
  const models = [...new Set(calls.map(({ model }: CallUsage) => modelName(model)))];
  const shares = shareTexts(usage, locale);
  const input = calls.every((call) => call.inputTokens === null) ? null : inputTokens;
  const lines: Line[] = [
    { name: t("model"), text: models.join(", "), isName: true },
    { name: t("input"), text: tokensText(input, isEstimate, locale), shares: shares.input },
    { name: t("output"), text: tokensText(outputTokens, isEstimate, locale), shares: shares.output },
    { name: t("cost"), text: costText(cost, isEstimate, locale) },
    ...(durationMs > 0 ? [{ name: t("time"), text: durationText(durationMs, locale) }] : []),
    ...(calls.length > 1 ? [{ name: t("calls"), text: String(calls.length) }] : []),
  ];
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {lines.map(({ name, text, isName, shares = [] }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            {/* Figures of equal width would tear the hyphens of a name apart. */}
            <dd className={cx("break-words text-end", !isName && "tabular-nums")}>
              {text}
              {shares.map((share) => (
                <span key={share} className="block text-muted text-xs">
                  {share}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {isEstimate && <p className="mt-2.5 text-pretty text-muted text-xs leading-text">{t("about")}</p>}
    </>
  );
}
