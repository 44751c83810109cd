import type {
  SearchCheck,
  SearchCheckRequest,
  SearchFailureName,
  SearchFault,
} from "#contract/administration/web-search.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { SearchEngine, SearchFailure } from "../../browsing/search/search-web.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Config } from "../../config/config.ts";
import { isLoopbackHost } from "../../config/loopback.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { unsavedEngine } from "./change-engine.ts";
import type { WebSearch } from "./web-search.ts";

export type CheckEngineDeps = {
  config: Pick<Config, "isInContainer">;
  clock: Clock;
  database: Database;
  cipher: SecretCipher;
  webSearch: Pick<WebSearch, "current" | "check" | "isFixed">;
};

/** Faults of a loopback address that the own container causes. */
const ofOwnContainer: ReadonlySet<string> = new Set<SearchFault>(["refused", "slow"]);

/**
 * Tests an engine by one query, which a service may count, and records that.
 * @param userId the owner
 * @param leaving aborts the test
 * @throws Failure `not-found` if there is no engine, `invalid-input` for values that cannot be saved; the signal's reason
 */
export async function checkEngine(
  deps: CheckEngineDeps,
  { engine: entered, userId }: SearchCheckRequest & { userId: string },
  leaving: AbortSignal,
): Promise<SearchCheck> {
  const { database, cipher, clock, webSearch } = deps;
  // Other values would be tested with the key of the environment, or say nothing about the engine in effect.
  const isUnsaved = entered !== undefined && !webSearch.isFixed;
  const engine = isUnsaved ? await unsavedEngine(database, cipher, entered) : webSearch.current();
  if (!engine) throw new Failure("not-found");
  const begunAt = performance.now();
  const found = await webSearch.check(engine, { signal: leaving });
  const durationMs = Math.round(performance.now() - begunAt);
  const outcome = typeof found === "number" ? { ok: true } : { ok: false, code: found.code };
  const after = { engine: engine.kind, ...outcome };
  await database
    .transaction()
    .execute((db) =>
      recordAudit(db, { kind: "search-engine-tested", at: clock.now(), actor: userId, subject: null, after }),
    );
  return typeof found === "number"
    ? { ok: true, results: found, durationMs }
    : { ok: false, ...describeFailure(found, engine, deps.config), durationMs };
}

function describeFailure(
  { code, reason, retryAfterSeconds }: SearchFailure,
  { address }: SearchEngine,
  { isInContainer }: Pick<Config, "isInContainer">,
) {
  const failure: { code: SearchFailureName; reason?: SearchFault } = { code, ...(reason && { reason }) };
  const url = URL.parse(address ?? "");
  const isOwn = isInContainer && url && isLoopbackHost(url.hostname) && ofOwnContainer.has(reason ?? "");
  return {
    ...failure,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(url && { host: url.host }),
    ...(isOwn && { isOwnContainer: true as const }),
  };
}
