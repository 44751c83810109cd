import type { ProviderRefusal } from "#contract/administration/provider-check.ts";
import { checkSearchEngine, type SearchEngine, type SearchFailure } from "../../browsing/search/search-web.ts";
import { SecretCipher } from "../../config/secret-cipher.ts";
import { decryptSecrets } from "../../connections/connection-secrets.ts";
import { listConnections } from "../../connections/connection-store.ts";
import { toConnectionSettings } from "../../connections/to-settings.ts";
import type { Database } from "../../database/schema.ts";
import { type ConnectionSettings, environmentConnections } from "../../models/connections/connection-settings.ts";
import { listModels } from "../../models/connections/discovery/list-models.ts";
import { OpenConnection } from "../../models/connections/open-connection.ts";
import { describeRefusal } from "../../models/connections/refusal-of.ts";
import { environmentAddresses } from "../../models/environment-addresses.ts";
import { ModelError } from "../../models/model-error.ts";
import { OutboundGuard } from "../../outbound/outbound-guard.ts";
import { findEngineRow, readEngine } from "../../tools/web-search/stored-engine.ts";
import { toEngine } from "../../tools/web-search/web-search.ts";
import type { OpenedDatabase } from "./database-checks.ts";
import { type CheckDeps, describeFault, type Finding, failure, ok, runCheck, warning } from "./finding.ts";

const SEARCH = "web search";
const NEW_SECRET =
  "Enter its key again in the administration, or give the former SECRET_KEY as SECRET_KEY_PREVIOUS for one start.";

/** Checks each connection to models at once: the server lists its models, or answers a request without content. */
export async function checkConnections(deps: CheckDeps, opening: Promise<OpenedDatabase>): Promise<Finding[]> {
  const { config, secrets, limitMs } = deps;
  const stored = await withDatabase(opening, (database) => readConnections(deps, database));
  const { settings = [], unreadable = [] } = stored ?? {};
  const all = [...environmentConnections(environmentAddresses(config, secrets)), ...settings];
  if (all.length + unreadable.length === 0) {
    const advice = "Connect one in the administration, or set OPENAI_API_KEY, ANTHROPIC_API_KEY or LOCAL_BASE_URL.";
    return [warning("connections", "No model is connected: the demo assistant answers.", advice)];
  }
  const checks = all.map((each) => runCheck(nameOf(each), limitMs, () => checkConnection(deps, each)));
  const found = await Promise.all(checks);
  const closed = unreadable.map((name) =>
    failure(`connection ${name}`, "The secret key does not open its key.", NEW_SECRET),
  );
  return [...found.flat(), ...closed];
}

const nameOf = ({ name }: Pick<ConnectionSettings, "name">) => `connection ${name}`;

/** Runs work on a database of this version; undefined without one, and for one that does not answer. */
async function withDatabase<Result>(
  opening: Promise<OpenedDatabase>,
  work: (database: Database) => Promise<Result>,
): Promise<Result | undefined> {
  const opened = await opening;
  if (!opened || "error" in opened) return undefined;
  // The check of the database reports an error, and an older schema.
  return work(opened.database).catch(() => undefined);
}

async function readConnections({ secretKey = "", secrets }: CheckDeps, database: Database) {
  const cipher = new SecretCipher(secretKey, secrets.secretKeyPrevious);
  const rows = (await listConnections(database)).filter(({ is_enabled }) => is_enabled === 1);
  const opened = rows.map((row) => ({ row, secrets: decryptSecrets(cipher, row) }));
  return {
    settings: opened.flatMap(({ row, secrets: own }) => (own ? [toConnectionSettings(row, own, [])] : [])),
    unreadable: opened.flatMap(({ row, secrets: own }) => (own ? [] : [row.name])),
  };
}

async function checkConnection(
  { config, outbound, limitMs }: CheckDeps,
  settings: ConnectionSettings,
): Promise<Finding> {
  const deps = { outbound, now: () => Date.now(), localHeaders: () => ({}) };
  await using connection = new OpenConnection(settings, deps);
  const { host, hostname } = new URL(settings.baseUrl);
  const name = nameOf(settings);
  try {
    const { state, models } = await listModels(connection.pool, { kind: settings.kind, timeoutMs: limitMs });
    if (state === "there" && models.length > 0) return ok(name, `${host} answers, with ${models.length} models.`);
    if (state === "there") {
      return warning(name, `${host} answers, but lists no model.`, "Load a model on that server.");
    }
    if (settings.kind !== "openai" || (await connection.probe()))
      return ok(name, `${host} answers, without a list of models.`);
    return failure(
      name,
      `Something else than the API of models answers at ${host}.`,
      "Check the address of the connection.",
    );
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { reason, isOwnContainer } = describeRefusal(error, { hostname, isInContainer: config.isInContainer });
    const { found, advice } = sentencesOf(reason, error, host);
    const own = "Inside a container 127.0.0.1 is the container itself: use the name of the other machine or container.";
    return failure(name, found, isOwnContainer ? own : advice);
  }
}

const refusals: Partial<Record<ProviderRefusal, [found: string, advice: string]>> = {
  key: ["refuses the key.", "Enter another key, or check it at the provider."],
  permission: ["does not allow the key to use its API.", "Check at the provider what the key may do."],
  credit: ["reports that the credit is used up.", "Add credit at the provider."],
  rate: ["answers that its limit of requests is reached.", "Try again in a few minutes."],
  overloaded: ["is overloaded.", "Try again in a few minutes."],
  server: ["reports an error of its own.", "Try again in a few minutes."],
  slow: ["does not answer in time.", "Check the server, the network and the firewall."],
  "broken-off": ["broke off its answer.", "Check the address, and the log of that server."],
  address: ["is not the API of models.", "Check the address of the connection."],
};

function sentencesOf(reason: ProviderRefusal, error: ModelError, host: string): { found: string; advice: string } {
  const [found, advice] = refusals[reason] ?? [];
  if (found && advice) return { found: `${host} ${found}`, advice };
  return describeFault(error.cause ?? error, host);
}

/** Checks the search engine by one query, which a service may count; nothing without an engine. */
export async function checkWebSearch(deps: CheckDeps, opening: Promise<OpenedDatabase>): Promise<Finding[]> {
  const { config, secrets, outbound, limitMs } = deps;
  const stored = config.searchEngine
    ? { engine: { ...config.searchEngine, key: secrets.searchKey } }
    : await withDatabase(opening, (database) => readSearchEngine(deps, database));
  if (!stored) return [];
  const { engine } = stored;
  if (!engine) return [failure(SEARCH, "The secret key does not open the key of the engine.", NEW_SECRET)];
  const signal = AbortSignal.timeout(limitMs);
  const found = await checkSearchEngine(new OutboundGuard({ outbound }), engine, { signal });
  const name = engine.address ? new URL(engine.address).host : engine.kind;
  if (typeof found !== "number") return [failureOfSearch(found, name)];
  if (found > 0) return [ok(SEARCH, `${name} answers, with results.`)];
  return [warning(SEARCH, `${name} answers without results.`, "Check the engines that it asks (docs/tools.md).")];
}

/** `engine`: undefined if its key does not open. */
async function readSearchEngine(
  { secretKey = "", secrets }: CheckDeps,
  database: Database,
): Promise<{ engine: SearchEngine | undefined } | undefined> {
  const stored = readEngine(await findEngineRow(database));
  return stored && { engine: toEngine(new SecretCipher(secretKey, secrets.secretKeyPrevious), stored) };
}

const searchFailures: Readonly<Record<SearchFailure["code"], [found: string, advice: string]>> = {
  key: ["refuses the key, or has none.", "Enter another key."],
  credit: ["reports that the credit is used up.", "Add credit at the service."],
  "rate-limited": ["answers that its limit of requests is reached.", "Try again later."],
  "format-disabled": ["does not answer in JSON.", "Add json to search.formats in its settings (docs/tools.md)."],
  unreachable: ["could not be reached.", "Check its address, and whether this machine can reach it."],
  "not-a-search-engine": ["is not such a search engine.", "Check its address."],
  failed: ["reports an error of its own.", "See its log."],
};

function failureOfSearch({ code, reason }: SearchFailure, name: string): Finding {
  const [found, advice] = searchFailures[code];
  return failure(
    SEARCH,
    reason === undefined ? `${name} ${found}` : `${name} ${found.replace(/\.$/, "")} (${reason}).`,
    advice,
  );
}
