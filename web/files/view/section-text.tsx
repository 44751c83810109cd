import Papa from "papaparse";
import { useMemo } from "react";
import type { AttachedFile } from "#contract/files/files.ts";
import { cx } from "../../ui/components/cx.ts";
import { type ShownKind, shownKindOf } from "../file-kind.tsx";

/** Lines that are laid out together when they come into view. */
const PIECE_LINES = 100;
/** A larger table is shown as its text: its cells would be too many elements. */
const MAX_CELLS = 4000;
const MAX_COLUMNS = 30;

/** Kinds that are set in columns or indented by spaces. */
const monospaced: readonly ShownKind[] = ["notebook", "code", "text", "sheet", "other"];

/** A text in pieces of which the browser lays out those in view; cells as a table, if they are few. */
export function SectionText({ file: { name, type }, text }: { file: AttachedFile; text: string }) {
  const kind = shownKindOf(type, name);
  const rows = useMemo(() => (kind === "sheet" ? rowsOf(text) : null), [kind, text]);
  const pieces = useMemo(() => piecesOf(text), [text]);
  if (rows) return <Cells rows={rows} />;
  return (
    <div className={cx("text-sm leading-text", monospaced.includes(kind) && "font-mono")}>
      {pieces.map((piece, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
          key={at}
          dir="auto"
          className="whitespace-pre-wrap [contain-intrinsic-size:auto_100lh] [content-visibility:auto] [overflow-wrap:anywhere]"
        >
          {piece}
        </div>
      ))}
    </div>
  );
}

/** Returns the cells of a CSV text; null if there are too many, or if it is no table. */
function rowsOf(text: string): string[][] | null {
  const { data, errors } = Papa.parse<string[]>(text.trim(), { preview: MAX_CELLS + 1 });
  const columns = Math.max(...data.map((row) => row.length));
  const isTable = columns > 1 && errors.every(({ type }) => type !== "Quotes");
  return isTable && columns <= MAX_COLUMNS && data.length * columns <= MAX_CELLS ? data : null;
}

function Cells({ rows }: { rows: readonly string[][] }) {
  return (
    <div className="overflow-x-auto">
      <table dir="auto" className="border-collapse text-sm">
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its index
            <tr key={at}>
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
                  key={column}
                  dir="auto"
                  className="whitespace-pre-line border border-hairline px-2 py-1 align-top tabular-nums"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function piecesOf(text: string): string[] {
  const lines = text.split("\n");
  const starts = Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, nth) => nth * PIECE_LINES);
  return starts.map((start) => lines.slice(start, start + PIECE_LINES).join("\n"));
}
