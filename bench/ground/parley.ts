import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packageFile from "../../package.json" with { type: "json" };
import { MeasuredProcess } from "./measured-process.ts";

const bundle = fileURLToPath(new URL("../../build/server/main.js", import.meta.url));

/** What `npm start` tells Node. */
export const nodeFlags: string[] = packageFile.scripts.start.match(/--\S+/g) ?? [];

export type MeasuredParley = AsyncDisposable & { process: MeasuredProcess; url: string; dataDir: string };

/** The built server as `npm start` runs it, on a data folder that goes with it (or a given one that stays). */
export async function startParley(env: Record<string, string> = {}, dataDir?: string): Promise<MeasuredParley> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "parley-bench-")));
  const startedAt = performance.now();
  const server = new MeasuredProcess([...nodeFlags, bundle], {
    PORT: "0",
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
    ...env,
  });
  const url = await server.said(/is running on (\S+)/);
  server.readyMs = performance.now() - startedAt;
  return {
    process: server,
    url,
    dataDir: folder,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (dataDir === undefined) await rm(folder, { recursive: true });
    },
  };
}

/** Of every account. */
export const PASSWORD = "correct horse battery";

/** A new, verified account. @returns its access token */
export async function signUp({ url, process: server }: MeasuredParley): Promise<string> {
  const person = { firstname: "Ada", lastname: "Lovelace", username: "ada", email: "ada@example.org" };
  await post(url, "/auth/users/register", { ...person, password: PASSWORD });
  const key = await server.said(/verify-email\?key=([\w-]+)/);
  const { access_token: token } = (await post(url, "/auth/users/verify", { key })) as { access_token: string };
  return token;
}

export async function post(url: string, path: string, body: object, token = ""): Promise<unknown> {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
