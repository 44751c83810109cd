import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { Button } from "../../ui/components/button.tsx";
import { durationWords } from "./reasoning-time.tsx";
import { ScrollBox } from "./scroll-box.tsx";
import { ToolArguments } from "./tool-arguments.tsx";
import { useToolName } from "./tool-name.ts";

/** Length (UTF-16 units) of a result that is shown at once. */
const SHOWN = 20_000;

type ToolCallProps = { part: ToolPart; isReplyRunning: boolean };

/** One call of a tool: its name, state, duration, arguments and result. */
export function ToolCall({ part, isReplyRunning }: ToolCallProps) {
  const { t, i18n } = useTranslation("parts");
  const nameOf = useToolName();
  const { durationMs, result } = part;
  // Its process has died, and none has taken the reply over yet.
  const state = part.state === "sent" && !isReplyRunning ? "unknown" : part.state;
  const name = nameOf(part);
  return (
    <li className="grid gap-1.5">
      <div className="flex flex-wrap gap-x-2">
        <bdi className="font-medium text-ink">{name}</bdi>
        <span>{t(`tools.states.${state}`)}</span>
        {durationMs !== undefined && <span>{durationWords(durationMs, i18n.language)}</span>}
      </div>
      <ToolArguments json={part.arguments} label={t("tools.arguments", { name })} />
      {result !== undefined && result !== "" && <ToolResult text={result} label={t("tools.result", { name })} />}
    </li>
  );
}

/** The result as plain text: words from outside must not request anything. */
function ToolResult({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation("parts");
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN;
  return (
    <div>
      <ScrollBox label={label} className="whitespace-pre-wrap border border-hairline [overflow-wrap:anywhere]">
        {isCut ? `${text.slice(0, SHOWN)}…` : text}
      </ScrollBox>
      {isCut && (
        <Button variant="quiet" size="small" className="mt-1" onClick={() => setWhole(true)}>
          {t("tools.showAll")}
        </Button>
      )}
    </div>
  );
}
