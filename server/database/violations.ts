const POSTGRES_UNIQUE_VIOLATION = "23505";
/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY */
const SQLITE_UNIQUE_VIOLATIONS: unknown[] = [2067, 1555];
const POSTGRES_FOREIGN_KEY_VIOLATION = "23503";
const SQLITE_FOREIGN_KEY_VIOLATION = 787;

/** The lowest byte of SQLite's codes for failed reads and writes (10), and for a lock timeout (5). */
const SQLITE_AWAY = [10, 5];
const SQLITE_FULL = 13;
/** SQLite's codes for a malformed page (11), and for a file that is no database (26). */
const SQLITE_DAMAGED = [11, 26];
/** SQLite's codes for a read-only file (8), and for a file that cannot be opened (14). */
const SQLITE_NOT_WRITABLE = [8, 14];
const SQLSTATE = /^[0-9A-Z]{5}$/;
const POSTGRES_DISK_FULL = "53100";

/**
 * PostgreSQL's codes for connection exceptions, too many connections, shutdown and startup of the server, statement,
 * lock and idle-transaction timeouts, deadlocks and serialisation failures.
 */
const POSTGRES_UNAVAILABLE = /^(08...|53300|57014|57P0[1-3]|55P03|25P03|40P01|40001)$/;
/** PostgreSQL's codes for deadlocks and serialisation failures. */
const POSTGRES_CONFLICT = /^(40P01|40001)$/;
/** The whole server stores nothing: out of disk or memory, I/O errors, a standby. */
const POSTGRES_STORES_NOTHING = /^(08...|53...|57P0[1-3]|58030|25006)$/;
const UNREACHABLE = /^(ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)/;
/** Messages of pg, without a code, for a connection that it lost or could not get in time. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a conn)/;

/** Returns whether a query failed because a row with the same key exists, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return SQLITE_UNIQUE_VIOLATIONS.includes(error.errcode);
  return "code" in error && error.code === POSTGRES_UNIQUE_VIOLATION;
}

/** Returns whether a query failed because a referenced row does not exist, on either database. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return error.errcode === SQLITE_FOREIGN_KEY_VIOLATION;
  return "code" in error && error.code === POSTGRES_FOREIGN_KEY_VIOLATION;
}

/** Returns whether PostgreSQL has rolled a transaction back because of another one. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && POSTGRES_CONFLICT.test(String(error.code));
}

/** Returns whether a query failed because the database is unavailable now; a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return SQLITE_AWAY.includes(Number(error.errcode) & 0xff);
  const code = "code" in error ? String(error.code) : "";
  return POSTGRES_UNAVAILABLE.test(code) || UNREACHABLE.test(code) || LOST_CONNECTION.test(error.message);
}

/** Returns whether a write failed because the database stores nothing at all, so that other writes would fail too. */
export function isStoringOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) {
    return [SQLITE_FULL, ...SQLITE_AWAY, ...SQLITE_NOT_WRITABLE].includes(Number(error.errcode) & 0xff);
  }
  const code = "code" in error ? String(error.code) : "";
  return POSTGRES_STORES_NOTHING.test(code) || UNREACHABLE.test(code) || LOST_CONNECTION.test(error.message);
}

/** Returns whether a query failed because the disk is full; acknowledged data is safe. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return error.errcode === SQLITE_FULL;
  return "code" in error && error.code === POSTGRES_DISK_FULL;
}

/**
 * Returns whether the database refused one statement, for example because of its values. Other statements may succeed:
 * the database is not away, full or damaged.
 */
export function isRefusedStatement(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOfDatabase = "errcode" in error || ("code" in error && SQLSTATE.test(String(error.code)));
  return isOfDatabase && ![isDatabaseAway, isStoringOff, isStorageFull, isDamage].some((is) => is(error));
}

/** Returns the database's code of a failed query. */
export function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error) return error.errcode;
  return "code" in error ? error.code : undefined;
}

/** Returns whether data read from a SQLite file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && SQLITE_DAMAGED.includes(Number(error.errcode) & 0xff);
}
