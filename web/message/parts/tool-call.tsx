import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { parseObject } from "../../reply/reply-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { durationWords } from "./reasoning-time.tsx";
import { ScrollBox } from "./scroll-box.tsx";
import { JsonFields, ReadableJson, ToolArguments } from "./tool-arguments.tsx";
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
  const rows = rowsOf(text);
  return rows && <JsonTable rows={rows} />;
}

type JsonRow = Record<string, string | number | boolean | null>;

/** Most columns of a table. */
const COLUMNS_MAX = 12;

/** Returns the rows of a list of objects whose values fit into cells; null of other text. */
function rowsOf(text: string): JsonRow[] | null {
  const rows = parseList(text);
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isRow)) return null;
  return columnsOf(rows).length > COLUMNS_MAX ? null : rows;
}

function parseList(text: string): unknown {
  if (!text.trimStart().startsWith("[")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isRow = (value: unknown): value is JsonRow =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((cell) => cell === null || typeof cell !== "object");

const columnsOf = (rows: readonly JsonRow[]): string[] => [...new Set(rows.flatMap(Object.keys))];

function JsonTable({ rows }: { rows: readonly JsonRow[] }) {
  const columns = columnsOf(rows);
  return (
    <table className="text-start">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1 pe-4 text-start font-medium">
              <bdi>{column}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes
          <tr key={index} className="border-hairline border-t align-top">
            {columns.map((column) => (
              <td key={column} className="py-1 pe-4 text-ink">
                <bdi>{Object.hasOwn(row, column) ? String(row[column]) : ""}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
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
