import { hkdfSync, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "secret-key";

/** The installation's secret: the given one, else that of the data folder, made there (mode 600) at the first start. */
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
  const kept = await readKept(file);
  if (kept.length < 32) throw new Error(`${file} is damaged: it holds no secret of at least 32 characters.`);
  return kept;
}

/** As {@link loadSecretKey}, but makes none: `undefined` where there is none yet. */
export async function findSecretKey(dataDir: string, given?: string): Promise<string | undefined> {
  if (given) return given;
  return (await readKept(join(dataDir, FILE)).catch(() => "")) || undefined;
}

async function readKept(file: string): Promise<string> {
  return (await readFile(file, "utf8")).trim();
}

/** A 256-bit key for one purpose, so that what is signed for one is never good for another. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secretKey, "parley", purpose, 32));
}
