import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packageFile from "../../package.json" with { type: "json" };
import { newPerson, registerByMail } from "../../testing/accounts/sign-up.ts";
import { MeasuredProcess } from "./measured-process.ts";

const bundle = fileURLToPath(new URL("../../build/server/main.js", import.meta.url));

/** Node's flags in `npm start`. */
export const nodeFlags: string[] = packageFile.scripts.start.match(/--\S+/g) ?? [];

export type MeasuredParley = AsyncDisposable & { process: MeasuredProcess; url: string; dataDir: string };

/** Starts the built server like `npm start`, on a temporary data folder or on a given one, which is not removed. */
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

/** Registers and verifies an account. @returns its access token */
export async function signUp({ url, process: server }: MeasuredParley): Promise<string> {
  const { token } = await registerByMail(
    {
      post: async (path, body) => {
        const response = await fetch(`${url}/api${path}`, asJson(body));
        return { status: response.status, body: await response.json() };
      },
      mailedKey: () => server.said(/verify-email\?key=([\w-]+)/),
    },
    newPerson({ username: "ada" }),
  );
  return token;
}

const asJson = (body: object, token = "") => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
  body: JSON.stringify(body),
});

export async function post(url: string, path: string, body: object, token = ""): Promise<unknown> {
  const response = await fetch(`${url}/api${path}`, asJson(body, token));
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
