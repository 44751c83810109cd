import * as z from "zod/mini";
import {
  ACCOUNTS_PAGE,
  type AccountList,
  type AccountSort,
  type AccountState,
  type AccountsCsvQuery,
  type AccountsQuery,
  type ListedAccount,
  signInWays,
} from "#contract/administration/administration.ts";
import { CSV_START, csvLine } from "#contract/text/csv.ts";
import { looseText } from "#contract/text/well-formed.ts";
import type { Reach } from "../accounts/roles/may-administer.ts";
import type { Clock } from "../concurrency/clock.ts";
import { toUsd } from "../database/nano-usd.ts";
import type { Queryable, UserRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { parseJson } from "../text/parse-json.ts";
import { monthOf } from "../usage/usage.ts";
import {
  countMatching,
  type FoundAccount,
  type ListPosition,
  listMatching,
  sortValueOf,
} from "./account-search-store.ts";

/** Rows of a CSV that are read at a time. */
const BATCH = 500;

type ListDeps = { database: Queryable; clock: Clock };

/** Returns a page of accounts in the reader's reach. @throws Failure `invalid-input` if the cursor is not one of this sort */
export async function listAccountsPage(
  { database: db, clock }: ListDeps,
  { after, ...given }: AccountsQuery,
  reach: Reach,
): Promise<AccountList> {
  const query = { ...given, reach };
  const { sort = "created" } = query;
  const position = after === undefined ? undefined : readCursor(after, sort);
  const found = await listMatching(db, query, { ...pageOf(query, clock), after: position, limit: ACCOUNTS_PAGE + 1 });
  const page = found.slice(0, ACCOUNTS_PAGE);
  const last = found.length > ACCOUNTS_PAGE ? page.at(-1) : undefined;
  return {
    accounts: page.map(toListedAccount),
    ...(last !== undefined && { next: cursorOf(last, sort) }),
    total: await countMatching(db, query),
  };
}

/** Returns the order of a list, whose sums are those of the current month. */
function pageOf({ sort = "created", direction = "desc" }: AccountsCsvQuery, clock: Clock) {
  return { sort, direction, month: monthOf(clock.now()) };
}

/** Returns an account of the list. Absent times, quotas and groups are left out. */
export function toListedAccount(row: FoundAccount): ListedAccount {
  const { id, username, firstname, lastname, email, role, created_at, last_seen_at, stored_bytes, quota_mb } = row;
  const { group_id: groupId, group_name: groupName, group_quota_mb: groupQuotaMb, priced_cost: cost } = row;
  return {
    ...{ id, username, firstname, lastname, email, role },
    state: stateOf(row),
    createdAt: created_at,
    ...(last_seen_at > 0 && { lastSeenAt: last_seen_at }),
    storedBytes: stored_bytes,
    usage: { replies: row.month_replies, ...(cost !== null && { cost: toUsd(cost) }) },
    ...(quota_mb !== null && { quotaMb: quota_mb }),
    ...(groupId !== null && groupName !== null && { group: { id: groupId, name: groupName } }),
    ...(groupQuotaMb !== null && { groupQuotaMb }),
    ways: signInWays.filter((way) => row[`by_${way}`] === 1),
  };
}

function stateOf(row: Pick<UserRow, "delete_at" | "disabled_at" | "verified_at">): AccountState {
  if (row.delete_at !== null) return "leaving";
  if (row.disabled_at !== null) return "disabled";
  return row.verified_at === null ? "unverified" : "active";
}

const cursorSchema = z.tuple([z.string(), z.union([looseText(), z.int()]), looseText(64)]);

function cursorOf(row: FoundAccount, sort: AccountSort): string {
  return Buffer.from(JSON.stringify([sort, sortValueOf(row, sort), row.id])).toString("base64url");
}

function readCursor(text: string, sort: AccountSort): ListPosition {
  const result = z.safeParse(cursorSchema, parseJson(Buffer.from(text, "base64url").toString()));
  const [of, value, id] = result.data ?? [];
  const isFitting = of === sort && typeof value === (sort === "name" ? "string" : "number");
  if (value === undefined || id === undefined || !isFitting) throw new Failure("invalid-input");
  return { value, id };
}

const columns = [
  ...["id", "username", "firstname", "lastname", "email", "role", "state"],
  ...[
    "created",
    "last seen",
    "stored bytes",
    "quota MB",
    "group",
    "replies this month",
    "cost USD this month",
    "sign-in",
  ],
];

/** Writes all accounts that match, in the reader's reach, as CSV. Times are in ISO 8601. */
export async function* writeAccounts(
  { database: db, clock }: ListDeps,
  given: AccountsCsvQuery,
  reach: Reach,
): AsyncGenerator<string> {
  const query = { ...given, reach };
  const { sort, ...order } = pageOf(query, clock);
  yield CSV_START + csvLine(columns);
  let after: ListPosition | undefined;
  for (;;) {
    const rows = await listMatching(db, query, { ...order, sort, after, limit: BATCH });
    yield rows.map((row) => csvLine(cellsOf(toListedAccount(row)))).join("");
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = { value: sortValueOf(last, sort), id: last.id };
  }
}

function cellsOf(account: ListedAccount): (string | number | undefined)[] {
  const { id, username, firstname, lastname, email, role, state, createdAt, lastSeenAt } = account;
  const times = [createdAt, lastSeenAt].map((at) => (at === undefined ? undefined : new Date(at).toISOString()));
  const { storedBytes, quotaMb, group, usage, ways = [] } = account;
  const sums = [storedBytes, quotaMb, group?.name, usage.replies, usage.cost];
  return [id, username, firstname, lastname, email, role, state, ...times, ...sums, ways.join(" ")];
}
