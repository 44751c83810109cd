import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";

const MAX_CACHED_STATEMENTS = 500;

/**
 * Kysely's SQLite dialect on `node:sqlite` with durable commits, for one server; administration commands may write too.
 */
export function openSqliteDialect(file: string, { isReadOnly = false } = {}): SqliteDialect {
  return new TransactionalDdlSqliteDialect({ database: async () => new NodeSqliteDatabase(file, isReadOnly) });
}

/**
 * SQLite rolls back schema changes like other changes, but Kysely's adapter denies it. Killed migrations depend on
 * this.
 */
class TransactionalDdlSqliteDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalDdlSqliteAdapter();
  }
}

class TransactionalDdlSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #isReadOnly: boolean;
  readonly #statements = new Map<string, NodeSqliteStatement>();

  constructor(file: string, isReadOnly: boolean) {
    this.#isReadOnly = isReadOnly;
    this.#database = new DatabaseSync(file, { timeout: 5000, readOnly: isReadOnly });
    if (isReadOnly) return;
    this.#database.exec(
      "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on; pragma temp_store = memory",
    );
  }

  prepare(query: string): SqliteStatement {
    // Administration commands write beside the server. A transaction that reads first and writes later would fail
    // because the file changed meanwhile.
    const sql = query === "begin" && !this.#isReadOnly ? "begin immediate" : query;
    // On a full disk SQLite rolls the transaction back by itself. A second rollback would hide the original error.
    if (sql === "rollback" && !this.#database.isTransaction) return nothingToDo;
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = new NodeSqliteStatement(this.#database.prepare(sql));
    // The number of distinct statements is fixed, but schema changes and bulk inserts of many widths must not
    // accumulate.
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }

  close() {
    this.#statements.clear();
    this.#database.close();
  }
}

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

class NodeSqliteStatement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]) {
    return this.#statement.all(...(parameters as SQLInputValue[]));
  }

  run(parameters: readonly unknown[]) {
    return this.#statement.run(...(parameters as SQLInputValue[]));
  }

  iterate(parameters: readonly unknown[]) {
    return this.#statement.iterate(...(parameters as SQLInputValue[]));
  }
}
