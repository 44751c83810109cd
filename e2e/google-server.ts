import { fileURLToPath } from "node:url";
import type { JWTPayload } from "jose";
import { startTestApp } from "../testing/app/start-test-app.ts";
import { startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { GOOGLE_CLIENT_ID, type KeyServer, startKeyServer } from "../testing/servers/key-server.ts";
import { test as base } from "./fixtures.ts";
import { installScriptedGoogle, type ScriptedGoogle } from "./scripted-google.ts";

const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));

/** Starts a server with Google sign-in configured, and replaces Google by a scripted one. */
export const test = base.extend<{ google: ScriptedGoogle }, { keys: KeyServer }>({
  keys: [
    async ({ browserName: _ }, use) => {
      await using keys = await startKeyServer();
      await use(keys);
    },
    { scope: "worker" },
  ],
  parley: [
    async ({ keys }, use) => {
      await using provider = await startScriptedProvider();
      await using app = await startTestApp({ webFolder, env: { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: keys.url } });
      await use({ app, provider });
    },
    { scope: "worker" },
  ],
  google: async ({ page, keys }, use) => use(await installScriptedGoogle(page, keys)),
});

/** Request of the page for Google's script, as `expectedErrors` names it. */
export const ASKS_GOOGLE = "request: https://accounts\\.google\\.com/gsi/client$";

let people = 0;

/** Claims of a new person; the address is one of Google's own domain unless given. */
export function newGooglePerson(given: JWTPayload = {}): JWTPayload & { email: string } {
  const sub = `${Date.now()}${++people}`;
  return { sub, email: `grace${sub}@gmail.com`, name: "Grace Hopper", ...given } as JWTPayload & { email: string };
}
