import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { waitFor } from "../../testing/app/wait-for.ts";
import { jsonOf } from "../../testing/http/send.ts";
import type { Person } from "../clients/person.ts";
import { type ApiRoute, filled } from "../routes/api-routes.ts";
import { newChat, routeHarness } from "../routes/route-harness.ts";
import type { Site } from "../site.ts";

/** Ids of an account's objects, by the prefix of the paths that take them. */
async function idsOf(site: Site, person: Person): Promise<Record<string, string>> {
  const chat = await newChat(site, person);
  const path = API_BASE + conversationPaths.chatSend(chat);
  await site.send({ method: "POST", path, token: person.token, body: { message: `canary of ${person.username}` } });
  await isNamed(site, person);
  const listed = await site.send({ path: API_BASE + accountPaths.sessions, token: person.token });
  const sessions = listed.status === 200 ? jsonOf<{ id: string }[]>(listed) : [];
  const make = async (path: string, body: Record<string, unknown>) => {
    const made = await site.send({ method: "POST", path: API_BASE + path, token: person.token, body });
    return made.status === 201 ? jsonOf<{ id: string }>(made).id : "";
  };
  const preset = { name: "Editor", instructions: "Edit.", model: null, temperature: null };
  return {
    "/api/presets/": await make(conversationPaths.presets, preset),
    "/api/folders/": await make(conversationPaths.folders, { name: "Work" }),
    "/api/chat/": chat,
    "/api/auth/sessions/": sessions[0]?.id ?? "",
  };
}

/** Returns a function that fills a route's path with the account's ids, or with unknown ids. */
export async function ownPaths(site: Site, person: Person): Promise<(route: ApiRoute) => string> {
  const on = await routeHarness(site, person);
  const ids = Object.entries(await idsOf(site, person));
  return (route) => {
    const [, own] = ids.find(([start]) => route.path.startsWith(start)) ?? [];
    return own === undefined ? on.path(route) : filled(route.path, own);
  };
}

/** Waits for the title of the chat, after which the database does not change any more. */
async function isNamed(site: Site, { token }: Person): Promise<void> {
  const history = () => site.send({ path: API_BASE + conversationPaths.chatHistory, token });
  await waitFor("the title of a chat", async () => (await history()).text.includes(site.provider.title));
}
