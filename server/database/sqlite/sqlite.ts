import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";

const MAX_CACHED_STATEMENTS = 500;

/** Kysely's SQLite dialect over `node:sqlite`, with durable commits, for one server; administration may write beside it. */
export function openSqliteDialect(file: string, { isReadOnly = false } = {}): SqliteDialect {
  return new TransactionalDdlSqliteDialect({ database: async () => new NodeSqliteDatabase(file, isReadOnly) });
}

/** SQLite rolls schema changes back like any other; Kysely's adapter says otherwise. A killed migration rests on it. */
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
    // Administration works beside the server: who reads first and writes later would find the file changed meanwhile.
    const sql = query === "begin" && !this.#isReadOnly ? "begin immediate" : query;
    // A full disk makes SQLite take the transaction back by itself; the error that tells why must not be hidden.
    if (sql === "rollback" && !this.#database.isTransaction) return nothingToDo;
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = new NodeSqliteStatement(this.#database.prepare(sql));
    // Statements of a fixed set of queries; a schema change or a bulk insert of many widths must not pile up.
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
