import { startTestApp, type TestApp, TestClock } from "../app/start-test-app.ts";
import { GOOGLE_CLIENT_ID, type KeyServer, startKeyServer } from "../servers/key-server.ts";

/** A server with Google sign-in and a stopped clock, and the server of Google's keys. */
export type GoogleApp = AsyncDisposable & { app: TestApp; google: KeyServer; clock: TestClock };

/** Starts both; disposing ends the app before its key server. */
export async function startGoogleApp(): Promise<GoogleApp> {
  await using opened = new AsyncDisposableStack();
  const clock = new TestClock();
  const google = opened.use(await startKeyServer());
  const app = opened.use(await startTestApp({ clock, env: { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: google.url } }));
  const resources = opened.move();
  return { app, google, clock, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
