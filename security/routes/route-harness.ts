import { randomUUID } from "node:crypto";
import { API_BASE, paths } from "#contract/paths.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import { jsonOf } from "../clients/send.ts";
import type { Site } from "../site.ts";
import { type ApiRoute, filled } from "./api-routes.ts";

const LOGOUT = API_BASE + paths.logout;

/** A new chat of a person's. */
export async function newChat(site: Site, { token }: Pick<Person, "token">): Promise<string> {
  const answer = await site.send({ method: "POST", path: API_BASE + paths.chats, token, body: {} });
  if (answer.status !== 201) throw new Error(`A new chat answered ${answer.status}: ${answer.text}`);
  return jsonOf<{ id: string }>(answer).id;
}

/** Calls after which little is left of a session or an account: each kind is made for a person of its own. */
const endings: ((route: ApiRoute) => boolean)[] = [
  ({ path }) => path === LOGOUT,
  ({ path }) => path.endsWith("/deletion"),
  ({ method }) => method === "DELETE",
];

/** What to call each route with so that nothing of it is lost at once: a chat of one's own, and another person for the rest. */
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
