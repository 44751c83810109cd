import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../reply/reply-text.ts";
import { columnsOf, type JsonRow, JsonTable, rowsOf } from "./json-table.tsx";
import { fieldText, JsonFields, ReadableJson } from "./tool-arguments.tsx";

/** Rows and columns of a table that are shown; the JSON has all. */
const ROWS_MAX = 200;
const COLUMNS_MAX = 20;
/** Longest value (UTF-16 units) of a field that is shown. */
const VALUE_MAX = 20_000;

/** Parses the structured result of a call; undefined if it is no JSON. */
export function parseStructured(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Whether a text of a result says the same as its structured form, as the protocol recommends. */
export function repeats(text: string, structured: unknown): boolean {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") return false;
  const parsed = parseStructured(text);
  return parsed !== undefined && JSON.stringify(parsed) === JSON.stringify(structured);
}

type StructuredResultProps = { json: string; value: unknown; label: string };

/** The structured result of a call: a table of its rows, else its fields, and its JSON on request. */
export function StructuredResult({ json, value, label }: StructuredResultProps) {
  const shown = readable(value);
  return (
    <ReadableJson label={label} json={shown === null ? null : json} className="border border-hairline">
      {shown ?? <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{json.slice(0, VALUE_MAX)}</span>}
    </ReadableJson>
  );
}

function readable(value: unknown): ReactNode {
  const rows = rowsOf(value);
  if (rows) return <BoundedTable rows={rows} />;
  if (!isObject(value) || Object.keys(value).length === 0) return null;
  const lists = Object.entries(value).flatMap(([name, each]) => {
    const ofField = rowsOf(each);
    return ofField ? [{ name, rows: ofField }] : [];
  });
  const [list] = lists;
  if (lists.length !== 1 || !list) return <JsonFields fields={Object.entries(value).map(cutField)} />;
  const others = Object.entries(value).filter(([name]) => name !== list.name);
  return (
    <div className="grid gap-2">
      {others.length > 0 && <JsonFields fields={others.map(cutField)} />}
      <BoundedTable rows={list.rows} />
    </div>
  );
}

function cutField([name, value]: [string, unknown]): [string, unknown] {
  const text = fieldText(value);
  return [name, text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text];
}

function BoundedTable({ rows }: { rows: readonly JsonRow[] }) {
  const { t, i18n } = useTranslation("parts");
  const numbers = new Intl.NumberFormat(i18n.language);
  const columns = columnsOf(rows);
  const cut = (shown: number, all: number) => ({ shown: numbers.format(shown), all: numbers.format(all) });
  return (
    <>
      <JsonTable rows={rows.slice(0, ROWS_MAX)} columns={columns.slice(0, COLUMNS_MAX)} />
      {rows.length > ROWS_MAX && <p className="mt-2">{t("tools.rowsCut", cut(ROWS_MAX, rows.length))}</p>}
      {columns.length > COLUMNS_MAX && (
        <p className="mt-2">{t("tools.columnsCut", cut(COLUMNS_MAX, columns.length))}</p>
      )}
    </>
  );
}
