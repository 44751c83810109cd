/**
 * Rows of any kind that one statement reads: SQLite holds the event loop for a whole statement, and each row costs some
 * microseconds, however short it is.
 */
export const ROWS_AT_ONCE = 500;

/**
 * Splits a list into runs of at most {@link ROWS_AT_ONCE} rows together; an item with more is a run of its own.
 * @param rowsOf the rows that an item stands for
 */
export function* inRuns<T>(items: Iterable<T>, rowsOf: (item: T) => number): Generator<T[]> {
  let run: T[] = [];
  let rows = 0;
  for (const item of items) {
    const added = rowsOf(item);
    if (run.length > 0 && rows + added > ROWS_AT_ONCE) {
      yield run;
      run = [];
      rows = 0;
    }
    run.push(item);
    rows += added;
  }
  if (run.length > 0) yield run;
}
