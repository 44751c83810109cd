import { randomUUID } from "node:crypto";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { jsonOf } from "../../testing/http/send.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import type { Site } from "../site.ts";
import { type ApiRoute, filled } from "./api-routes.ts";

const LOGOUT = API_BASE + accountPaths.logout;

/** Creates a chat. @returns its id */
export async function newChat(site: Site, { token }: Pick<Person, "token">): Promise<string> {
  const answer = await site.send({ method: "POST", path: API_BASE + conversationPaths.chats, token, body: {} });
  if (answer.status !== 201) throw new Error(`A new chat answered ${answer.status}: ${answer.text}`);
  return jsonOf<{ id: string }>(answer).id;
}

/** Routes that end a session or an account; each kind uses a separate account. */
const endings: ((route: ApiRoute) => boolean)[] = [
  ({ path }) => path === LOGOUT,
  ({ path }) => path.endsWith("/deletion"),
  ({ method }) => method === "DELETE",
];

/** Paths and tokens for repeated calls of each route: an own chat, and separate accounts for destructive routes. */
export type RouteHarness = { path(route: ApiRoute): string; token(route: ApiRoute): string };

export async function routeHarness(site: Site, person: Person): Promise<RouteHarness> {
  const chat = await newChat(site, person);
  const token = await newToken(site, person);
  const spares = await Promise.all(endings.map(async () => newToken(site, await signUp(site))));
  return {
    path: ({ method, path }) =>
      filled(path, () => (path.startsWith("/api/chat/") && method !== "DELETE" ? chat : randomUUID())),
    token: (route) => spares[endings.findIndex((isOne) => isOne(route))] ?? token,
  };
}
