export type Unit = "µs" | "ms" | "s" | "kB" | "MB" | "%" | "count";

/** One measurement; smaller is better. */
export type Row = {
  /** Key by which runs are compared. */
  name: string;
  value: number;
  unit: Unit;
  /** Comparison value, measured in the same run and unit. */
  yardstick?: { name: string; value: number };
  /** Budget in the row's unit. */
  allowed?: number;
  /** Budget as a ratio to the yardstick. */
  allowedRatio?: number;
};

/** Ratio of a row to its yardstick. */
export function ratioOf({ value, yardstick }: Row): number | undefined {
  return yardstick && value / yardstick.value;
}

/** Whether a row exceeds a budget. */
export function isOverBudget(row: Row): boolean {
  const isOver = row.allowed !== undefined && row.value > row.allowed;
  return isOver || (row.allowedRatio !== undefined && (ratioOf(row) ?? 0) > row.allowedRatio);
}

/** Formats three significant digits; more are noise. */
export const inWords = (value: number): string => String(Number(value.toPrecision(3)));
export const withUnit = (value: number, unit: Unit): string =>
  unit === "count" ? inWords(value) : `${inWords(value)} ${unit}`;

/** Formats a row as one line for the console. */
export function lineOf(row: Row): string {
  const { name, value, unit, yardstick, allowed, allowedRatio } = row;
  const parts = [`${name}: ${withUnit(value, unit)}`];
  if (yardstick)
    parts.push(`${yardstick.name} ${withUnit(yardstick.value, unit)}`, `ratio ${inWords(ratioOf(row) ?? 0)}`);
  if (allowed !== undefined) parts.push(`allowed ${withUnit(allowed, unit)}`);
  if (allowedRatio !== undefined) parts.push(`allowed ratio ${inWords(allowedRatio)}`);
  return `${parts.join(", ")}${isOverBudget(row) ? "  ← over" : ""}`;
}
