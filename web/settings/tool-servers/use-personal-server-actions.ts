import type { PersonalServer } from "#contract/mcp/own-servers.ts";
import { ApiError } from "../../api/api-error.ts";
import { useAction } from "../../forms/use-action.ts";
import { isListed, personalServersApi, personalServersQuery } from "./personal-servers-query.ts";
import type { PersonalServerList } from "./use-personal-server-list.ts";

/** Refusals by which the list is out of date: the server was removed elsewhere, or own servers were switched off. */
const OUTDATED = new Set([403, 404]);

/** Actions of one server by buttons, one at a time. */
export function usePersonalServerActions(server: PersonalServer, listeners: PersonalServerList["listeners"]) {
  const { run, busy, failure } = useAction<"refresh" | "sign-out" | "remove">();
  const { id } = server;
  const act = (name: "refresh" | "sign-out" | "remove", work: () => Promise<void>) =>
    void run(name, async () => {
      listeners.onBegin();
      try {
        await work();
      } catch (error) {
        const isOutdated = error instanceof ApiError && OUTDATED.has(error.status);
        if (isOutdated) await personalServersQuery.reload();
        if (!isOutdated || isListed(id)) throw error;
        listeners.onRemoved(server);
      }
    });
  const refresh = () => act("refresh", async () => listeners.onRefreshed(await personalServersApi.refresh(id)));
  const signOut = () =>
    act("sign-out", async () => {
      await personalServersApi.signOut(id);
      listeners.onSignedOut(server);
      // A server that works without a sign-in has other tools now, or is not in the list any more.
      void personalServersQuery.reload().then(() => isListed(id) || listeners.onUnlisted());
    });
  const remove = () =>
    act("remove", async () => {
      await personalServersApi.remove(id);
      listeners.onRemoved(server);
    });
  return { refresh, signOut, remove, busy, failure };
}

export type PersonalServerActions = ReturnType<typeof usePersonalServerActions>;
