import { type NewSearchEngine, needsSearchKey } from "#contract/administration/web-search.ts";
import { type ChangeDeps, type Changer, changeAsRole } from "../../accounts/trust/change-as.ts";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import type { SearchEngine } from "../../browsing/search/search-web.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure, type Issue } from "../../failure.ts";
import { deleteSetting, putSetting } from "../../installation/setting-store.ts";
import { canonicalBaseUrl } from "../../outbound/base-url.ts";
import {
  decryptEngineKey,
  ENGINE_SETTING,
  encryptEngineKey,
  findEngineRow,
  isSameServer,
  readEngine,
  type StoredEngine,
} from "./stored-engine.ts";
import type { WebSearch } from "./web-search.ts";

export type ChangeEngineDeps = ChangeDeps & {
  cipher: SecretCipher;
  webSearch: Pick<WebSearch, "publish" | "isFixed">;
};

/**
 * Sets the engine of the installation, or removes it (null), and makes that take effect on every process.
 * @throws Failure `invalid-input` for an address that is none, a key that is missing, or a key that would be sent to
 *   another server; those of {@link changeAsRole}
 */
export async function changeEngine(
  deps: ChangeEngineDeps,
  request: NewSearchEngine | null,
  actor: Changer["identity"],
): Promise<void> {
  const { cipher, webSearch } = deps;
  if (webSearch.isFixed) throw refused({ field: "kind", rule: "fixed" });
  await changeAsRole(deps, actor, "owner", async ({ db }, { at, actor: by }) => {
    await holdAdministration(db);
    const before = readEngine(await findEngineRow(db));
    const after = request && storedOf(cipher, request, before);
    if (JSON.stringify(after) === JSON.stringify(before ?? null)) return;
    if (after === null) await deleteSetting(db, ENGINE_SETTING);
    else await putSetting(db, { name: ENGINE_SETTING, value: JSON.stringify(after), changed_at: at });
    await recordAudit(db, {
      kind: "search-engine-changed",
      at,
      actor: by,
      subject: null,
      before: recordedOf(before),
      after: {
        ...recordedOf(after),
        ...(after && { hasNewKey: after.keyEncrypted !== (before?.keyEncrypted ?? null) }),
      },
    });
  });
  await webSearch.publish();
}

/** Returns the engine of values that are not saved, as it would be searched. @throws Failure as of {@link changeEngine} */
export async function unsavedEngine(
  db: Queryable,
  cipher: SecretCipher,
  request: NewSearchEngine,
): Promise<SearchEngine> {
  const { kind, baseUrl, key } = enteredOf(cipher, request, readEngine(await findEngineRow(db)));
  return { kind, address: baseUrl ?? undefined, key: key ?? undefined };
}

type EnteredEngine = Pick<StoredEngine, "kind" | "baseUrl"> & { key: string | null };

/** Checks entered values, and adds the stored key if it stays. @throws Failure `invalid-input` */
function enteredOf(cipher: SecretCipher, request: NewSearchEngine, before: StoredEngine | undefined): EnteredEngine {
  const { kind, apiKey } = request;
  const baseUrl = request.baseUrl === null ? null : canonicalBaseUrl(request.baseUrl);
  if (baseUrl === undefined) throw refused({ field: "baseUrl", rule: "invalid" });
  if (baseUrl === null && !needsSearchKey[kind]) throw refused({ field: "baseUrl", rule: "required" });
  const key = apiKey === undefined ? stayingKey(cipher, { kind, baseUrl }, before) : apiKey;
  if (key === undefined || (key === null && needsSearchKey[kind])) throw refused({ field: "apiKey", rule: "required" });
  return { kind, baseUrl, key };
}

/**
 * Returns the stored key for an engine; null: there is none. Undefined if it must be entered again: it is not sent to
 * another server than the one for which it was entered.
 */
function stayingKey(
  cipher: SecretCipher,
  entered: Pick<StoredEngine, "kind" | "baseUrl">,
  before: StoredEngine | undefined,
): string | null | undefined {
  if (!before || before.keyEncrypted === null) return null;
  if (!isSameServer(entered, before)) return undefined;
  return decryptEngineKey(cipher, before)?.text;
}

function storedOf(cipher: SecretCipher, request: NewSearchEngine, before: StoredEngine | undefined): StoredEngine {
  const { kind, baseUrl, key } = enteredOf(cipher, request, before);
  const keyEncrypted =
    request.apiKey === undefined && before ? before.keyEncrypted : encryptEngineKey(cipher, { kind, baseUrl }, key);
  return { kind, baseUrl, keyEncrypted };
}

const refused = (issue: Issue) => new Failure("invalid-input", { issues: [issue] });

/** Returns the values that a record has: no key, and of the address its origin. */
function recordedOf(engine: StoredEngine | null | undefined) {
  if (!engine) return { engine: null };
  const { kind, baseUrl, keyEncrypted } = engine;
  return { engine: kind, baseUrl: baseUrl && new URL(baseUrl).origin, hasKey: keyEncrypted !== null };
}
