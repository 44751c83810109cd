import { isObject } from "../../reply/reply-text.ts";

/** Rows of a table, by the names of their columns. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Returns the rows of a list that has objects only; null of any other value, and of an empty list. */
export const rowsOf = (value: unknown): readonly JsonRow[] | null =>
  Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : null;

export const columnsOf = (rows: readonly JsonRow[]): string[] => [...new Set(rows.flatMap(Object.keys))];

/** Whether a value has no fields and no items. */
export const isFlat = (value: unknown): boolean => value === null || typeof value !== "object";

type JsonTableProps = { rows: readonly JsonRow[]; columns: readonly string[] };

/** Objects as rows; a value that does not fit into a cell is shown as JSON. Cells are as wide as their text, up to a limit. */
export function JsonTable({ rows, columns }: JsonTableProps) {
  return (
    <table className="w-max text-start">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="sticky -top-2 bg-page py-1 pe-4 text-start font-medium">
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
                <div className="max-w-72 [overflow-wrap:anywhere]">
                  <bdi>{Object.hasOwn(row, column) ? cellText(row[column]) : ""}</bdi>
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cellText = (value: unknown): string => (isFlat(value) ? String(value) : JSON.stringify(value));
