import { randomBytes } from "node:crypto";
import { SecretCipher } from "../../config/secret-cipher.ts";
import { findSecretKey } from "../../config/secret-key.ts";
import { listUnreadable, unreadableSentence } from "../../connections/unreadable-secrets.ts";
import type { Database } from "../../database/schema.ts";
import { type Call, Refusal } from "../command.ts";
import type { BackedUpFile } from "./backup-file.ts";
import { findShapes } from "./row-store.ts";

export const ACCEPTS_NEW_SECRET = "accept-new-secret";

/**
 * Refuses rows with keys of connections that the secret of the installation will not open, unless
 * `--accept-new-secret` is given. Without any secret none opens, because the next start makes a new one.
 * @param files of a backup, of which `secret-key` replaces that of the data folder
 * @throws Refusal that names the connections
 */
export async function refuseUnreadable(
  call: Call,
  database: Database,
  files: readonly BackedUpFile[] = [],
): Promise<void> {
  if (call.has(ACCEPTS_NEW_SECRET)) return;
  // A backup of an older version has no connections.
  if (!(await findShapes(database)).some(({ name }) => name === "connections")) return;
  const { config, secrets } = call.configuration();
  const inBackup = files.find(({ path }) => path === "secret-key");
  const secret =
    secrets.secretKey ??
    (inBackup && Buffer.from(inBackup.content).toString("utf8").trim()) ??
    (await findSecretKey(config.dataDir));
  const cipher = new SecretCipher(secret ?? randomBytes(32).toString("hex"), secrets.secretKeyPrevious);
  const unreadable = await listUnreadable(database, cipher);
  if (unreadable.length === 0) return;
  throw new Refusal(unreadableSentence(unreadable, `repeat the command with --${ACCEPTS_NEW_SECRET}`));
}
