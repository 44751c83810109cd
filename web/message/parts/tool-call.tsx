import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { parseObject } from "../../reply/reply-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { columnsOf, isFlat, type JsonRow, JsonTable, rowsOf } from "../tools/json-table.tsx";
import { ScrollBox } from "../tools/scroll-box.tsx";
import { ServerOfCall } from "../tools/server-of-call.tsx";
import { parseStructured, repeats, StructuredResult } from "../tools/structured-result.tsx";
import { JsonFields, ReadableJson, ToolArguments } from "../tools/tool-arguments.tsx";
import { useToolName } from "../tools/tool-name.ts";
import { durationWords } from "./reasoning-time.tsx";

/** Length (UTF-16 units) of a result that is shown at once. */
const SHOWN = 20_000;

type ToolCallProps = { part: ToolPart; isReplyRunning: boolean };

/** One call of a tool: its name, state, duration, arguments and result. */
export function ToolCall({ part, isReplyRunning }: ToolCallProps) {
  const { t, i18n } = useTranslation("parts");
  const nameOf = useToolName();
  const { durationMs, result = "", structured } = part;
  const value = useMemo(() => (structured === undefined ? undefined : parseStructured(structured)), [structured]);
  const isRepeated = value !== undefined && repeats(result, value);
  // Its process has died, and none has taken the reply over yet.
  const state = part.state === "sent" && !isReplyRunning ? "unknown" : part.state;
  const name = nameOf(part);
  return (
    <li className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap gap-x-2">
        <bdi className="font-medium text-ink">{name}</bdi>
        <span>{t(`tools.states.${state}`)}</span>
        {durationMs !== undefined && <span>{durationWords(durationMs, i18n.language)}</span>}
      </div>
      <ServerOfCall from={part.from} />
      <ToolArguments json={part.arguments} label={t("tools.arguments", { name })} />
      {result !== "" && !isRepeated && <ToolResult text={result} label={t("tools.result", { name })} />}
      {structured !== undefined && value !== undefined && (
        <StructuredResult json={structured} value={value} label={t("tools.result", { name })} />
      )}
    </li>
  );
}

type ResultProps = { text: string; label: string };

/** The result as plain words: those from outside must not request anything. JSON is shown as fields or as a table. */
function ToolResult({ text, label }: ResultProps) {
  const form = text.length > SHOWN ? null : readableForm(text);
  if (form === null) return <TextResult text={text} label={label} />;
  return (
    <ReadableJson label={label} json={text} className="border border-hairline">
      {form}
    </ReadableJson>
  );
}

function readableForm(text: string): ReactNode {
  const fields = parseObject(text);
  if (fields) return Object.keys(fields).length === 0 ? null : <JsonFields fields={Object.entries(fields)} />;
  const rows = flatRowsOf(text);
  return rows && <JsonTable rows={rows} columns={columnsOf(rows)} />;
}

/** Most columns of a table of a text. */
const COLUMNS_MAX = 12;

/** Returns the rows of a list of objects whose values fit into cells; null of other text. */
function flatRowsOf(text: string): readonly JsonRow[] | null {
  const rows = text.trimStart().startsWith("[") ? rowsOf(parseStructured(text)) : null;
  if (!rows?.every((row) => Object.values(row).every(isFlat))) return null;
  return columnsOf(rows).length > COLUMNS_MAX ? null : rows;
}

function TextResult({ text, label }: ResultProps) {
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
