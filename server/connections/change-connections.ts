import { headerProblem } from "#contract/administration/connection-headers.ts";
import {
  CONNECTIONS_MAX,
  type ConnectionChange,
  type ConnectionKind,
  defaultConnectionSettings,
  fixedSlugs,
  type NewConnection,
  SLUG,
  SLUG_MAX,
} from "#contract/administration/connections.ts";
import { type ChangeDeps, type Changer, changeAsRole } from "../accounts/trust/change-as.ts";
import { holdAdministration, recordAudit } from "../audit/record-audit.ts";
import type { SecretCipher } from "../config/secret-cipher.ts";
import { newId } from "../database/new-id.ts";
import { nextPosition } from "../database/positions.ts";
import type { Queryable } from "../database/schema.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { Failure } from "../failure.ts";
import { canonicalBaseUrl } from "../outbound/base-url.ts";
import { type ConnectionSecrets, decryptSecrets, encryptHeaders, encryptKey } from "./connection-secrets.ts";
import {
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections,
  updateConnection,
} from "./connection-store.ts";
import type { Connections } from "./connections.ts";
import { kindOf, storedSettings } from "./to-settings.ts";

export type ChangeConnectionDeps = ChangeDeps & { cipher: SecretCipher; connections: Pick<Connections, "publish"> };

/** Session of an owner; null: a command on the server itself. */
export type ConnectionActor = Changer["identity"] | null;

type Work<T> = (db: Queryable, by: { at: number; actor: string | null }) => Promise<T>;

/** Runs a change of connections as an owner, and makes it take effect on every process. */
export async function changeConnections<T>(
  deps: ChangeConnectionDeps,
  actor: ConnectionActor,
  work: Work<T>,
): Promise<T> {
  const held: Work<T> = async (db, by) => {
    await holdAdministration(db);
    return work(db, by);
  };
  const result = await (actor === null
    ? deps.database.transaction().execute((db) => held(db, { at: deps.clock.now(), actor: null }))
    : changeAsRole(deps, actor, "owner", ({ db }, by) => held(db, by)));
  await deps.connections.publish();
  return result;
}

/**
 * Creates a connection. @returns its slug
 * @throws Failure `invalid-input` for an address that is none, a slug that is taken, or beyond {@link CONNECTIONS_MAX};
 *   those of {@link changeAsRole}
 */
export async function createConnection(
  deps: ChangeConnectionDeps,
  request: NewConnection,
  actor: ConnectionActor,
): Promise<string> {
  const { name, kind, apiKey = null, headers = [], isEnabled = true } = request;
  const id = newId();
  const base_url = baseUrlOf(request.baseUrl, kind);
  return changeConnections(deps, actor, async (db, { at, actor: by }) => {
    const others = await listConnections(db);
    if (others.length >= CONNECTIONS_MAX) throw new Failure("invalid-input");
    const slug = chooseSlug(request, new Set<string>([...fixedSlugs, ...others.map((other) => other.slug)]));
    refuseHeaders({ kind, sendsPerson: request.settings?.sendsPerson ?? false }, { apiKey, headers });
    const row: ConnectionRow = {
      id,
      slug,
      name,
      kind,
      base_url,
      key_encrypted: encryptKey(deps.cipher, id, apiKey),
      headers_encrypted: encryptHeaders(deps.cipher, id, headers),
      settings: JSON.stringify({ ...defaultConnectionSettings, ...request.settings }),
      position: nextPosition(others),
      is_enabled: isEnabled ? 1 : 0,
      created_at: at,
      updated_at: at,
    };
    await insertConnection(db, row);
    await recordAudit(db, { kind: "connection-created", at, actor: by, subject: null, after: recordedOf(row) });
    return slug;
  });
}

/**
 * Changes a connection. Absent fields stay as they are.
 * @throws Failure `not-found`; `invalid-input` also if secrets would be sent to another server; those of {@link createConnection}
 */
export async function changeConnection(
  deps: ChangeConnectionDeps,
  slug: string,
  request: ConnectionChange,
  actor: ConnectionActor,
): Promise<void> {
  const { name, apiKey, headers, settings, isEnabled } = request;
  await changeConnections(deps, actor, async (db, { at, actor: by }) => {
    const before = await findConnection(db, slug);
    if (!before) throw new Failure("not-found");
    const base_url = request.baseUrl === undefined ? undefined : baseUrlOf(request.baseUrl, before.kind);
    refuseMovedSecrets(before, { ...request, base_url });
    const after: ConnectionRow = {
      ...before,
      ...(name !== undefined && { name }),
      ...(base_url !== undefined && { base_url }),
      ...(apiKey !== undefined && { key_encrypted: encryptKey(deps.cipher, before.id, apiKey) }),
      ...(headers !== undefined && { headers_encrypted: encryptHeaders(deps.cipher, before.id, headers) }),
      ...(settings !== undefined && { settings: JSON.stringify({ ...storedSettings(before), ...settings }) }),
      ...(isEnabled !== undefined && { is_enabled: isEnabled ? 1 : 0 }),
      updated_at: at,
    };
    refuseHeadersOf(deps.cipher, after, { apiKey, headers, settings });
    const { id, slug: _, created_at: __, ...change } = after;
    await updateConnection(db, id, change);
    await recordAudit(db, {
      kind: "connection-changed",
      at,
      actor: by,
      subject: null,
      before: recordedOf(before),
      after: { ...recordedOf(after), hasNewKey: apiKey !== undefined, hasNewHeaders: headers !== undefined },
    });
  });
}

/** Deletes a connection with its models. @throws Failure `not-found`; those of {@link changeAsRole} */
export async function removeConnection(
  deps: ChangeConnectionDeps,
  slug: string,
  actor: ConnectionActor,
): Promise<void> {
  await changeConnections(deps, actor, async (db, { at, actor: by }) => {
    const before = await findConnection(db, slug);
    if (!before) throw new Failure("not-found");
    await deleteConnection(db, before);
    await recordAudit(db, { kind: "connection-deleted", at, actor: by, subject: null, before: recordedOf(before) });
  });
}

/** Orders the stored connections. Those that are not named follow in their order. @throws Failure as of {@link changeAsRole} */
export async function orderConnections(
  deps: ChangeConnectionDeps,
  slugs: readonly string[],
  actor: ConnectionActor,
): Promise<void> {
  await changeConnections(deps, actor, async (db, { at, actor: by }) => {
    const rows = await listConnections(db);
    const before = rows.map(({ slug }) => slug);
    const order = [...new Set([...slugs, ...before])].filter((slug) => before.includes(slug));
    for (const row of rows) {
      const position = order.indexOf(row.slug);
      if (position !== row.position) await updateConnection(db, row.id, { position });
    }
    const recorded = { before: { order: before }, after: { order } };
    await recordAudit(db, { kind: "connection-changed", at, actor: by, subject: null, ...recorded });
  });
}

/**
 * Stored secrets are not sent to another server than the one for which they were entered: whoever changes the address
 * enters them again, or removes them.
 * @throws Failure `invalid-input`
 */
function refuseMovedSecrets(
  before: ConnectionRow,
  { base_url, apiKey, headers }: Pick<ConnectionChange, "apiKey" | "headers"> & { base_url: string | undefined },
): void {
  if (base_url === undefined || new URL(base_url).origin === new URL(before.base_url).origin) return;
  const issues = [
    ...(before.key_encrypted !== null && apiKey === undefined ? ["apiKey"] : []),
    ...(before.headers_encrypted !== null && headers === undefined ? ["headers"] : []),
  ];
  if (issues.length === 0) return;
  throw new Failure("invalid-input", { issues: issues.map((field) => ({ field, rule: "required" as const })) });
}

/**
 * Refuses headers that a connection must not have, also if only its key or the switch for them changes.
 * @throws Failure `invalid-input`
 */
function refuseHeadersOf(
  cipher: SecretCipher,
  row: ConnectionRow,
  { apiKey, headers, settings }: Pick<ConnectionChange, "apiKey" | "headers" | "settings">,
): void {
  if (apiKey === undefined && headers === undefined && settings?.sendsPerson === undefined) return;
  const secrets = decryptSecrets(cipher, row);
  if (secrets) refuseHeaders({ kind: kindOf(row), sendsPerson: storedSettings(row).sendsPerson }, secrets);
}

function refuseHeaders(
  { kind, sendsPerson }: { kind: ConnectionKind; sendsPerson: boolean },
  { apiKey, headers }: ConnectionSecrets,
): void {
  const problem = headerProblem(headers, { kind, hasKey: apiKey !== null, sendsPerson });
  if (problem) throw new Failure("invalid-input", { issues: [{ field: "headers", rule: problem.rule }] });
}

function baseUrlOf(entered: string, kind: string): string {
  const baseUrl = canonicalBaseUrl(entered, kind);
  if (baseUrl === undefined) throw new Failure("invalid-input", { issues: [{ field: "baseUrl", rule: "invalid" }] });
  return baseUrl;
}

function chooseSlug({ slug, name }: Pick<NewConnection, "slug" | "name">, taken: ReadonlySet<string>): string {
  if (slug !== undefined) {
    if (taken.has(slug)) throw new Failure("invalid-input", { issues: [{ field: "slug", rule: "taken" }] });
    return slug;
  }
  const wanted = slugOf(name);
  const numbered = Array.from({ length: taken.size + 1 }, (_, at) => (at === 0 ? wanted : `${wanted}-${at + 1}`));
  const free = numbered.find((each) => !taken.has(each));
  if (free === undefined) throw new Failure("invalid-input");
  return free;
}

/** Returns a slug made of a name: its Latin letters and digits, else `CONNECTION`. Leaves room for a number. */
function slugOf(name: string): string {
  const latin = name.normalize("NFKD").toUpperCase();
  const slug = latin.replaceAll(/[^A-Z0-9]+/g, "-").slice(0, SLUG_MAX - 3);
  const trimmed = slug.replaceAll(/^-+|-+$/g, "");
  return SLUG.test(trimmed) ? trimmed : "CONNECTION";
}

/** Returns the values that a record has: no key and no header. */
function recordedOf(row: ConnectionRow) {
  const { slug, name, kind, base_url, is_enabled, settings } = row;
  return {
    connection: slug,
    name,
    kind,
    baseUrl: new URL(base_url).origin,
    isEnabled: is_enabled === 1,
    settings,
    hasKey: row.key_encrypted !== null,
  };
}
