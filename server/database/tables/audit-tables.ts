/**
 * An action of administration. Rows are only appended, and hold ids instead of names and addresses: the removal of an
 * account leaves its id, which then leads to nothing.
 */
export interface AuditEventRow {
  /** 1, 2, 3 … without gaps, in the order of the commits. */
  seq: number;
  at: number;
  /** An `AuditKind` of the contract; newer versions may write others. */
  kind: string;
  /** Id of the acting account; null: a command on the server itself, or the server. */
  actor: string | null;
  /** Id of the affected account or object; null if there is none. */
  subject: string | null;
  /** JSON of the values before and after the change; null if there are none. */
  before: string | null;
  after: string | null;
  /** Hex SHA-256 over the row before and this one; see `audit/audit-chain.ts`. */
  hash: string;
}

/** The end of the chain: a single row, whose lock serialises administration. */
export interface AuditHeadRow {
  id: number;
  seq: number;
  hash: string;
}
