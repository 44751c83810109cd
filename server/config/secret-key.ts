import { hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "./config.ts";
import type { Secrets } from "./secrets.ts";

const FILE = "secret-key";

/**
 * Returns the installation's secret: the given one, otherwise that of the data folder, created there (mode 600) at the
 * first start.
 */
export async function loadSecretKey(dataDir: string, given?: string): Promise<string> {
  if (given) return given;
  const file = join(dataDir, FILE);
  const made = randomBytes(48).toString("base64url");
  try {
    await writeFile(file, made, { mode: 0o600, flag: "wx", flush: true });
    return made;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const stored = await readStored(file);
  if (stored.length < 32) throw new Error(`${file} is damaged: it contains no secret of at least 32 characters.`);
  return stored;
}

/** Like {@link loadSecretKey}, but creates none; `undefined` if there is none yet. */
export async function findSecretKey(dataDir: string, given?: string): Promise<string | undefined> {
  if (given) return given;
  return (await readStored(join(dataDir, FILE)).catch(() => "")) || undefined;
}

const READABLE_BY_GROUP = 0o040;
const READABLE_BY_OTHERS = 0o004;

/**
 * Warns if other users of the machine can read the file with the secret key. Group permission counts only for a file of
 * this process's own user: a service needs it to read a file of root.
 */
export async function warnOfKeyFile(
  { dataDir, secretKeyFile }: Pick<Config, "dataDir" | "secretKeyFile">,
  { secretKey }: Pick<Secrets, "secretKey">,
): Promise<string[]> {
  // With a key in the environment the data folder's file is not used. Windows has no such modes.
  if ((secretKey && !secretKeyFile) || process.platform === "win32") return [];
  const file = secretKeyFile ?? join(resolve(dataDir), FILE);
  const found = await stat(file).catch(() => null);
  if (!found) return [];
  const bits = found.uid === process.getuid?.() ? READABLE_BY_GROUP | READABLE_BY_OTHERS : READABLE_BY_OTHERS;
  if ((found.mode & bits) === 0) return [];
  return [`Other users of this machine can read the secret key in ${file}: set its mode to 600.`];
}

async function readStored(file: string): Promise<string> {
  return (await readFile(file, "utf8")).trim();
}

/** Derives a 256-bit key for one purpose, so that a signature for one purpose is invalid for all others. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secretKey, "parley", purpose, 32));
}

/** Compares two signatures or secrets in constant time. */
export function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
