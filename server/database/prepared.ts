import type { CompiledQuery } from "kysely";
import type { Queryable } from "./schema.ts";

type Value = string | number | null;
/** Every field is a value, none is ever left out: the statement is made from the first ones. */
type Values<P> = { [K in keyof P]-?: Value };
type Compilable<R> = { compile(): CompiledQuery<R> };

/** Stands in a statement for a value that comes later. */
class Slot<P> {
  readonly row: number;
  readonly field: keyof P;

  constructor(row: number, field: keyof P) {
    this.row = row;
    this.field = field;
  }
}

/** Statements of further widths are built each time: there must not be ever more of them. */
const MAX_CACHED_WIDTH = 64;

/**
 * A statement that is built once for each database and then only given its values: for what every reply does, as
 * building takes longer than SQLite does. `build` is told stand-ins for the values, which it must not look at.
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

/** {@link prepared} for any number of rows: built once for each number. */
export function preparedForRows<P extends Values<P>, R>(
  build: (db: Queryable, rows: P[]) => Compilable<R>,
): (db: Queryable, rows: readonly P[]) => Promise<R[]> {
  // By adapter, which a database has in common with its transactions.
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

/** PostgreSQL would take what is missing for null. */
function valueFor<P>(rows: readonly P[], { row, field }: Slot<P>): P[keyof P] {
  const value = rows[row]?.[field];
  if (value === undefined) throw new Error(`A statement lacks its ${String(field)}`);
  return value;
}

/** Stand-ins for a row's values. */
function slotsFor<P>(values: P, row: number): P {
  const slots = Object.keys(values as object).map((field) => [field, new Slot<P>(row, field as keyof P)]);
  return Object.fromEntries(slots) as P;
}
