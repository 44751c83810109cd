import * as z from "zod/mini";
import { searchEngineKinds } from "#contract/administration/web-search.ts";
import type { Decrypted, SecretCipher } from "../../config/secret-cipher.ts";
import type { Queryable, SettingRow } from "../../database/schema.ts";
import { listSettingsNamed, putSetting } from "../../installation/setting-store.ts";

/** Name of the setting with the engine. */
export const ENGINE_SETTING = "searchEngine";

/** How sentences for operators name it. */
export const SEARCH_ENGINE_NAME = "the search engine";

const storedSchema = z.object({
  kind: z.enum(searchEngineKinds),
  baseUrl: z.nullable(z.string()),
  keyEncrypted: z.nullable(z.string()),
});

/** The engine that an owner has entered. `baseUrl`: null for a service at its own address. */
export type StoredEngine = z.infer<typeof storedSchema>;

type Server = Pick<StoredEngine, "kind" | "baseUrl">;

/** Returns the row of the stored engine. */
export async function findEngineRow(db: Queryable): Promise<SettingRow | undefined> {
  const [row] = await listSettingsNamed(db, [ENGINE_SETTING]);
  return row;
}

/** Returns the engine of a row; undefined without one, or if a version of other rules stored it. */
export function readEngine(row: SettingRow | undefined): StoredEngine | undefined {
  return row === undefined ? undefined : storedSchema.safeParse(JSON.parse(row.value)).data;
}

/** Returns whether two engines are of one kind at one server, so that one's key may be sent to the other. */
export function isSameServer(a: Server, b: Server): boolean {
  return a.kind === b.kind && originOf(a) === originOf(b);
}

const originOf = ({ baseUrl }: Server) => (baseUrl === null ? null : new URL(baseUrl).origin);

/** A key that the database names for another server does not open. */
const keyContext = (server: Server) => `search-engine-key:${server.kind}:${originOf(server) ?? ""}`;

export function encryptEngineKey(cipher: SecretCipher, server: Server, apiKey: string | null): string | null {
  return apiKey === null ? null : cipher.encrypt(apiKey, keyContext(server));
}

/** Returns the key; null without one, undefined if the installation's key does not open it. */
export function decryptEngineKey(cipher: SecretCipher, engine: StoredEngine): Decrypted | null | undefined {
  const { keyEncrypted } = engine;
  return keyEncrypted === null ? null : cipher.decrypt(keyEncrypted, keyContext(engine));
}

/** Returns whether an engine is stored whose key the installation's key does not open. */
export async function isEngineUnreadable(db: Queryable, cipher: SecretCipher): Promise<boolean> {
  const engine = readEngine(await findEngineRow(db));
  return engine !== undefined && decryptEngineKey(cipher, engine) === undefined;
}

/** Encrypts a key of the previous secret of the installation again. */
export async function encryptEngineAgain(db: Queryable, cipher: SecretCipher): Promise<void> {
  const row = await findEngineRow(db);
  const engine = readEngine(row);
  const key = engine && decryptEngineKey(cipher, engine);
  if (!row || !engine || !key?.isOutdated) return;
  const value = { ...engine, keyEncrypted: encryptEngineKey(cipher, engine, key.text) };
  await putSetting(db, { ...row, value: JSON.stringify(value) });
}
