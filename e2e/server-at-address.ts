import { fileURLToPath } from "node:url";
import { startTestApp, type TestAppOptions } from "../testing/app/start-test-app.ts";
import { startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { FaultProxy } from "../testing/servers/fault-proxy.ts";
import type { Parley } from "./fixtures.ts";

const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));

/**
 * Runs work with a server whose `PUBLIC_URL` is the address at which its pages are opened.
 * @param host name of this machine in that address
 * @param options by the base address of the scripted provider
 */
export async function withServerAt(
  host: string,
  options: (providerUrl: string) => TestAppOptions,
  work: (parley: Parley) => Promise<void>,
): Promise<void> {
  await using provider = await startScriptedProvider();
  // The address is known before the server has its port.
  const target = { host: "127.0.0.1", port: 0 };
  await using proxy = new FaultProxy(target);
  await proxy.listen();
  const url = `http://${host}:${proxy.port}`;
  const { env, ...more } = options(provider.baseUrl);
  await using app = await startTestApp({ webFolder, ...more, env: { ...env, PUBLIC_URL: url } });
  target.port = Number(new URL(app.url).port);
  await work({ app: { ...app, url }, provider });
}
