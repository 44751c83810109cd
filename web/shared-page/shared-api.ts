/** Requests of the page of a link. They send cookies only where the check against forged requests needs one. */

import { accountPaths } from "#contract/accounts/paths.ts";
import { ANTI_FORGERY_HEADER, API_BASE } from "#contract/http.ts";
import { SECOND } from "#contract/limits.ts";
import { SHARE_LINK_PATH, sharePaths } from "#contract/shares/paths.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import { readAccessToken } from "../api/access-token.ts";
import { isTokenExpired } from "../api/access-token-expiry.ts";
import { readAntiForgeryToken } from "../api/anti-forgery.ts";
import { isPageAnswer } from "./page/is-page-answer.ts";

/**
 * Why a call has no result. `gone`: the link does not exist for this reader. `signed-out`: the session has ended. `busy`:
 * too many requests. `unreachable`: there is no response.
 */
export type SharedFailure =
  | { kind: "gone" | "signed-out" | "no-room" | "unreachable" | "unexpected" }
  | { kind: "busy"; waitMs: number };

const DEFAULT_WAIT_MS = 10 * SECOND;
const LONGEST_WAIT_MS = 3600 * SECOND;

/** Returns the token at the end of a link's path; null if there is none. */
export function tokenOf(path: string): string | null {
  const token = path.startsWith(SHARE_LINK_PATH) ? path.slice(SHARE_LINK_PATH.length) : "";
  return /^[\w-]+$/.test(token) ? token : null;
}

/** Whether this browser has a session that has not expired. The server may have ended it. */
export const isSignedIn = (): boolean => bearer() !== null;

function bearer(): string | null {
  const token = readAccessToken();
  return token !== null && !isTokenExpired(token) ? token : null;
}

/** Reads the page of a link. */
export async function readSharedPage(token: string): Promise<SharedPageAnswer | SharedFailure> {
  const response = await send(sharePaths.sharedPage(token));
  if (response === null) return { kind: "unreachable" };
  if (!response.ok) return failureOf(response);
  const answer: unknown = await response.json().catch(() => null);
  return isPageAnswer(answer) ? answer : { kind: "unexpected" };
}

/** Reads a file of a page that was made at `createdAt`. Throws if it cannot be read. */
export async function readSharedFile(token: string, position: number, createdAt: number): Promise<Blob> {
  const response = await send(sharePaths.sharedFile(token, position, createdAt));
  if (!response?.ok) throw new Error("The file could not be read");
  return response.blob();
}

/** Copies the chat of a link into the account of the reader. Returns the id of the new chat. */
export async function copySharedChat(token: string): Promise<{ id: string } | SharedFailure> {
  if (!isSignedIn()) return { kind: "signed-out" };
  let response = await sendCopy(token);
  if (response?.status === 403 && (await codeOf(response)) === "csrf") {
    // The cookie has expired or is missing: the server sets a new one in this call.
    await send(accountPaths.authConfig, { credentials: "same-origin" });
    response = await sendCopy(token);
  }
  if (response === null) return { kind: "unreachable" };
  if (!response.ok) return failureOf(response);
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer !== "object" || answer === null || !("id" in answer)) return { kind: "unexpected" };
  return typeof answer.id === "string" ? { id: answer.id } : { kind: "unexpected" };
}

/** Whether the server has ended the session that this browser has. */
export async function isSessionOver(): Promise<boolean> {
  return (await send(accountPaths.me))?.status === 401;
}

function sendCopy(token: string): Promise<Response | null> {
  const proof = readAntiForgeryToken();
  const headers = proof === null ? {} : { [ANTI_FORGERY_HEADER]: proof };
  return send(sharePaths.sharedCopy(token), { method: "POST", credentials: "same-origin", headers });
}

/** @returns null without a response */
async function send(path: string, init: RequestInit = {}): Promise<Response | null> {
  const headers = new Headers(init.headers);
  headers.set("accept", "application/json");
  const token = bearer();
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  try {
    return await fetch(API_BASE + path, { credentials: "omit", cache: "no-store", ...init, headers });
  } catch {
    return null;
  }
}

async function failureOf(response: Response): Promise<SharedFailure> {
  if (response.status === 404) return { kind: "gone" };
  if (response.status === 401) return { kind: "signed-out" };
  if (response.status === 429) return { kind: "busy", waitMs: waitOf(response) };
  const isFull = ["quota-reached", "storage-full"].includes(await codeOf(response));
  return { kind: isFull ? "no-room" : "unexpected" };
}

/** Returns the time that `Retry-After` asks for, which is in seconds. */
function waitOf({ headers }: Response): number {
  const waitMs = Number(headers.get("retry-after") ?? Number.NaN) * SECOND;
  return waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : DEFAULT_WAIT_MS;
}

/** Returns the code of a problem document; empty without one. */
async function codeOf(response: Response): Promise<string> {
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof problem !== "object" || problem === null || !("code" in problem)) return "";
  return String(problem.code);
}
