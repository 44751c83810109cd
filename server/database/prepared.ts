import type { CompiledQuery } from "kysely";
import type { Queryable } from "./schema.ts";

type Value = string | number | null;
/** Every field is a required value: the statement is compiled from the first values. */
type Values<P> = { [K in keyof P]-?: Value };
type Compilable<R> = { compile(): CompiledQuery<R> };

/** Placeholder in a statement for a value that is bound later. */
class Slot<P> {
  readonly row: number;
  readonly field: keyof P;

  constructor(row: number, field: keyof P) {
    this.row = row;
    this.field = field;
  }
}

/** Limits the cache: statements for more rows are compiled each time. */
const MAX_CACHED_WIDTH = 64;

/**
 * Prepares a statement that is compiled once per database and then only bound: for statements of every reply, because
 * compiling takes longer than SQLite's execution. `build` receives placeholders for the values and must not inspect
 * them.
 */
export function prepared<P extends Values<P>, R>(
  build: (db: Queryable, values: P) => Compilable<R>,
): (db: Queryable, values: P) => Promise<R[]> {
  const run = preparedForRows<P, R>((db, [values]) => {
    if (values === undefined) throw new Error("A statement needs its values");
    return build(db, values);
  });
  return (db, values) => run(db, [values]);
}

/** {@link prepared} for any number of rows: compiled once for each number. */
export function preparedForRows<P extends Values<P>, R>(
  build: (db: Queryable, rows: P[]) => Compilable<R>,
): (db: Queryable, rows: readonly P[]) => Promise<R[]> {
  // Keyed by adapter, which a database shares with its transactions.
  const cache = new WeakMap<object, Map<number, CompiledQuery<R>>>();
  return async (db, rows) => {
    const { adapter } = db.getExecutor();
    const byWidth = cache.get(adapter) ?? new Map<number, CompiledQuery<R>>();
    cache.set(adapter, byWidth);
    const query = byWidth.get(rows.length) ?? build(db, rows.map(slotsFor)).compile();
    if (rows.length <= MAX_CACHED_WIDTH) byWidth.set(rows.length, query);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Slot ? valueFor(rows, parameter) : parameter,
    );
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

/** Rejects a missing value, which PostgreSQL would store as null. */
function valueFor<P>(rows: readonly P[], { row, field }: Slot<P>): P[keyof P] {
  const value = rows[row]?.[field];
  if (value === undefined) throw new Error(`A statement lacks its ${String(field)}`);
  return value;
}

/** Returns placeholders for a row's values. */
function slotsFor<P>(values: P, row: number): P {
  const slots = Object.keys(values as object).map((field) => [field, new Slot<P>(row, field as keyof P)]);
  return Object.fromEntries(slots) as P;
}
