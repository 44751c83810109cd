import {
  type NewOwnServer,
  type OwnServerChange,
  ownServerPaths,
  type PersonalServer,
  personalServerSchema,
  personalServersSchema,
} from "#contract/mcp/own-servers.ts";
import { toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import { ApiError } from "../../api/api-error.ts";
import { api } from "../../api/client.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";
import { accountQuery } from "../../queries/query.ts";

/** Query of the person's own servers, and of those to which the person signs in. */
export const personalServersQuery = accountQuery((signal) =>
  api.get(ownServerPaths.servers, personalServersSchema, { signal }),
);

/** Replaces a server of the cached list, or adds it to the own ones. */
export function storePersonalServer(server: PersonalServer): void {
  const { value } = personalServersQuery.state.get();
  if (value === null) return;
  const { servers } = value;
  const isNew = servers.every(({ id }) => id !== server.id);
  const own = servers.filter(({ isOwn }) => isOwn);
  const others = servers.filter(({ isOwn }) => !isOwn);
  const next = isNew ? [...own, server, ...others] : servers.map((each) => (each.id === server.id ? server : each));
  personalServersQuery.change({ ...value, servers: next });
}

export const isListed = (id: string): boolean =>
  personalServersQuery.state.get().value?.servers.some((server) => server.id === id) === true;

/** Removes a server from the cached list. */
export function dropPersonalServer(removed: string): void {
  const { value } = personalServersQuery.state.get();
  if (value === null) return;
  personalServersQuery.change({ ...value, servers: value.servers.filter(({ id }) => id !== removed) });
}

/** Calls that change servers. All throw ApiError. */
export const personalServersApi = {
  add: (server: NewOwnServer) => api.post(ownServerPaths.servers, server, personalServerSchema),
  change: (id: string, change: ChangedFields<OwnServerChange>) =>
    api.patch(ownServerPaths.server(id), change, personalServerSchema),
  /** Asks a server for its tools. */
  refresh: (id: string) => api.post(ownServerPaths.refresh(encodeURIComponent(id)), undefined, personalServerSchema),
  signOut: (id: string) => api.delete(toolSignInPaths.attempt(encodeURIComponent(id))),
  /** One that is removed already counts as a success. */
  remove: async (id: string) => {
    try {
      await api.delete(ownServerPaths.server(id));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  },
};
