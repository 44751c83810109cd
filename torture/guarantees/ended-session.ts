import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Account } from "../../testing/accounts/process-account.ts";
import { callJson, openCall } from "../../testing/http/http-call.ts";
import { bounded, persist } from "../bounded.ts";
import type { Harness } from "../harness.ts";
import type { Guarantee } from "../report.ts";

const REQUESTS = 12;
let networks = 0;

/** A process without notifications polls each second, or each 15 s while Redis is away. */
const letGo: Guarantee = { claim: "a stream ends after its session did", allowed: 5000, unit: "ms" };

/** Expects a session that was ended at one process to be invalid at all processes at once, and its streams to close. */
export async function endSession({ arrangement, report }: Harness, account: Account): Promise<void> {
  const { url } = arrangement;
  const token = await signIn(url, account);
  const stream = await openCall(url, { method: "GET", path: conversationPaths.events, token }).catch(() => undefined);
  let endedAt: number | undefined;
  const closed = new Promise<void>((resolve) => {
    if (!stream) return resolve();
    stream.on("close", resolve).on("error", () => resolve());
    stream.resume();
  }).then(() => {
    endedAt = performance.now();
  });
  const signOut = { method: "POST", path: accountPaths.logout, token };
  const out = await persist("a sign-out was not answered", () => answerOf(callJson(url, signOut), [204, 401]));
  const outAt = performance.now();
  report.count("sign-out");
  report.check("a sign-out is answered", out.status === 204 || out.status === 401, `answered ${out.status}`);
  const statuses = await Promise.all(
    Array.from({ length: REQUESTS }, () =>
      callJson(url, { method: "GET", path: accountPaths.me, token }).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  );
  report.check("an ended session is refused everywhere", !statuses.includes(200), `answers were ${statuses}`);
  report.check("at least one answer is 401", statuses.includes(401), `answers were ${statuses}`);
  await bounded("the stream of an ended session did not end", closed);
  report.measure(letGo, Math.max(0, (endedAt ?? outAt) - outAt));
}

/** Signs in from a new network each time, because sign-ins are limited by network. */
async function signIn(url: string, { username, password }: Account): Promise<string> {
  const from = `127.98.${++networks >> 8}.${networks & 0xff}`;
  const call = { method: "POST", path: accountPaths.login, body: { username, password }, from };
  const signedIn = () => answerOf(callJson<{ access_token: string }>(url, call), [200]);
  return (await persist("no sign-in succeeded", signedIn)).body.access_token;
}

/** Returns the answer of a call if it has a wanted status. */
async function answerOf<T extends { status: number }>(call: Promise<T>, wanted: number[]): Promise<T | undefined> {
  const answer = await call.catch(() => undefined);
  return answer && wanted.includes(answer.status) ? answer : undefined;
}
