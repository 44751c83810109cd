export type Unit = "µs" | "ms" | "s" | "kB" | "MB" | "%" | "count";

/** One measured number, of which less is better. */
export type Row = {
  /** What was measured: the same in every run, as runs are compared by it. */
  name: string;
  value: number;
  unit: Unit;
  /** Something else that was measured in the same run, in the same unit. */
  yardstick?: { name: string; value: number };
  /** The most that is allowed: in the row's unit. */
  allowed?: number;
  /** The most that is allowed: as a ratio to the yardstick. */
  allowedRatio?: number;
};

/** How much of its yardstick a row comes to. */
export function ratioOf({ value, yardstick }: Row): number | undefined {
  return yardstick && value / yardstick.value;
}

/** Whether a row is beyond what is allowed. */
export function isOverBudget(row: Row): boolean {
  const isOver = row.allowed !== undefined && row.value > row.allowed;
  return isOver || (row.allowedRatio !== undefined && (ratioOf(row) ?? 0) > row.allowedRatio);
}

/** To three digits, as more are noise. */
export const inWords = (value: number): string => String(Number(value.toPrecision(3)));
export const withUnit = (value: number, unit: Unit): string =>
  unit === "count" ? inWords(value) : `${inWords(value)} ${unit}`;

/** As one line for the console. */
export function lineOf(row: Row): string {
  const { name, value, unit, yardstick, allowed, allowedRatio } = row;
  const parts = [`${name}: ${withUnit(value, unit)}`];
  if (yardstick)
    parts.push(`${yardstick.name} ${withUnit(yardstick.value, unit)}`, `ratio ${inWords(ratioOf(row) ?? 0)}`);
  if (allowed !== undefined) parts.push(`allowed ${withUnit(allowed, unit)}`);
  if (allowedRatio !== undefined) parts.push(`allowed ratio ${inWords(allowedRatio)}`);
  return `${parts.join(", ")}${isOverBudget(row) ? "  ← over" : ""}`;
}
