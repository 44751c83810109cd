import { randomBytes } from "node:crypto";
import { countUnreadableFactors, factorsName } from "../../accounts/second-factor/totp-secrets.ts";
import { listUnreadableProviders } from "../../accounts/sso/provider-secrets.ts";
import { SecretCipher, unreadableSentence } from "../../config/secret-cipher.ts";
import { findSecretKey } from "../../config/secret-key.ts";
import { listUnreadable } from "../../connections/unreadable-secrets.ts";
import type { Database } from "../../database/schema.ts";
import { listUnreadableServers } from "../../mcp/server-secrets.ts";
import { isEngineUnreadable, SEARCH_ENGINE_NAME } from "../../tools/web-search/stored-engine.ts";
import { type Call, Refusal } from "../command.ts";
import type { BackedUpFile } from "./backup-file.ts";
import { findShapes } from "./row-store.ts";

export const ACCEPTS_NEW_SECRET = "accept-new-secret";

/**
 * Refuses rows with keys of connections, of identity providers, of MCP servers and of the search engine, and second
 * factors, that the secret of the installation will not open, unless `--accept-new-secret` is given. Without any secret
 * none opens, because the next start makes a new one.
 * @param files of a backup, of which `secret-key` replaces that of the data folder
 * @throws Refusal that names them
 */
export async function refuseUnreadable(
  call: Call,
  database: Database,
  files: readonly BackedUpFile[] = [],
): Promise<void> {
  if (call.has(ACCEPTS_NEW_SECRET)) return;
  const { config, secrets } = call.configuration();
  const inBackup = files.find(({ path }) => path === "secret-key");
  const secret =
    secrets.secretKey ??
    (inBackup && Buffer.from(inBackup.content).toString("utf8").trim()) ??
    (await findSecretKey(config.dataDir));
  const cipher = new SecretCipher(secret ?? randomBytes(32).toString("hex"), secrets.secretKeyPrevious);
  // A backup of an older version lacks some of the tables.
  const tables = (await findShapes(database)).map(({ name }) => name);
  const factors = tables.includes("totp_factors") ? await countUnreadableFactors(database, cipher) : 0;
  const providers = tables.includes("identity_providers") ? await listUnreadableProviders(database, cipher) : [];
  const servers = tables.includes("mcp_servers") ? await listUnreadableServers(database, cipher) : [];
  const unreadable = [
    ...(tables.includes("connections") ? (await listUnreadable(database, cipher)).map(({ name }) => name) : []),
    ...providers.map(({ name }) => name),
    ...servers.map(({ name }) => name),
    ...(tables.includes("settings") && (await isEngineUnreadable(database, cipher)) ? [SEARCH_ENGINE_NAME] : []),
    ...(factors > 0 ? [factorsName(factors)] : []),
  ];
  if (unreadable.length === 0) return;
  throw new Refusal(unreadableSentence(unreadable, `repeat the command with --${ACCEPTS_NEW_SECRET}`));
}
