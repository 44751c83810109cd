import { chooseSlug } from "#contract/administration/choose-slug.ts";
import { OWN_SLUG_PREFIX } from "#contract/mcp/group-slugs.ts";
import { ownAddressProblem } from "#contract/mcp/own-server-address.ts";
import {
  type NewOwnServer,
  OWN_SERVERS_MAX,
  type OwnServerChange,
  type PersonalServer,
  type PersonalServers,
} from "#contract/mcp/own-servers.ts";
import { holdUser } from "../../accounts/account-store.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { newId } from "../../database/new-id.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import type { McpServerRow, McpServerStateRow } from "../../database/tables/mcp-tables.ts";
import { Failure } from "../../failure.ts";
import { isMetadataHost } from "../../outbound/metadata-hosts.ts";
import type { McpClients } from "../mcp-clients.ts";
import type { McpServer } from "../mcp-server.ts";
import {
  deleteServer,
  findServerRow,
  forgetAddress,
  insertServer,
  listOwnServers,
  updateServer,
} from "../mcp-server-store.ts";
import { findStates, toListedServer } from "../mcp-tools.ts";
import type { ServerDirectory } from "../server-directory.ts";
import { listSignIns, removeServerApprovals, type StoredSignIn } from "./own-server-store.ts";

export type OwnServersDeps = { database: Database; clock: Clock; servers: ServerDirectory; clients: McpClients };

/** Servers that one answer lists. */
const LISTED_MAX = 200;

/** Tool servers that people have added, and the sign-ins of people to servers. Each query names the account. */
export class OwnServers {
  readonly #deps: OwnServersDeps;

  constructor(deps: OwnServersDeps) {
    this.#deps = deps;
  }

  /** Lists the person's own servers, then those of owners that need or have the person's sign-in. */
  async list(userId: string): Promise<PersonalServers> {
    const { database: db, servers } = this.#deps;
    const own = (await listOwnServers(db, userId)).flatMap((row) => servers.open(row) ?? []);
    const others = (await servers.listFor(db, userId)).filter(({ source }) => source !== "person");
    const toPersonal = await this.#describer(userId, [...own, ...others]);
    const described = [
      ...own.map((server) => toPersonal(server)),
      ...others
        .map((server) => toPersonal(server))
        .filter(({ state, signedInAt }) => state === "connect" || signedInAt),
    ];
    return { canAdd: servers.allowsOwn, servers: described.slice(0, LISTED_MAX) };
  }

  /** Adds a server and asks it for its tools. @throws Failure `not-permitted`, `invalid-input`, `too-many-tool-servers` */
  async add(userId: string, { name, url }: NewOwnServer, signal: AbortSignal): Promise<PersonalServer> {
    const { database, clock, servers } = this.#deps;
    if (!servers.allowsOwn) throw new Failure("not-permitted");
    const id = newId();
    const now = clock.now();
    await database.transaction().execute(async (db) => {
      await holdUser(db, userId);
      const present = await listOwnServers(db, userId);
      if (present.length >= OWN_SERVERS_MAX) throw new Failure("too-many-tool-servers");
      await insertServer(db, {
        id,
        user_id: userId,
        slug: chooseOwnSlug(name, present),
        name,
        url: canonicalAddress(url),
        headers_encrypted: null,
        groups: null,
        is_trusted: 0,
        is_enabled: 1,
        chosen_tools: null,
        created_at: now,
        updated_at: now,
      });
    });
    return this.refresh(userId, id, signal);
  }

  /** Another address is another server: its tools, sign-in and approvals are removed. @throws Failure `not-found`, `not-permitted`, `invalid-input` */
  async change(userId: string, id: string, change: OwnServerChange, signal: AbortSignal): Promise<PersonalServer> {
    const { database, clock, servers, clients } = this.#deps;
    const url = change.url === undefined ? undefined : canonicalAddress(change.url);
    const isMoved = await database.transaction().execute(async (db) => {
      const row = await ownRow(db, userId, id);
      const moved = url !== undefined && url !== row.url;
      if (moved && !servers.allowsOwn) throw new Failure("not-permitted");
      await updateServer(db, id, {
        name: change.name ?? row.name,
        url: url ?? row.url,
        updated_at: clock.now(),
      });
      if (moved) {
        await forgetAddress(db, id);
        await removeServerApprovals(db, userId, row.slug);
      }
      return moved;
    });
    if (!isMoved) return this.#find(userId, id);
    await clients.close(id);
    return this.refresh(userId, id, signal);
  }

  /** Removes a server with its sign-in, and the approvals of its tools. @throws Failure `not-found` */
  async remove(userId: string, id: string): Promise<void> {
    const { database, clients } = this.#deps;
    await database.transaction().execute(async (db) => {
      const { slug } = await ownRow(db, userId, id);
      await deleteServer(db, id);
      await removeServerApprovals(db, userId, slug);
    });
    await clients.close(id);
  }

  /** Removes the servers of an account that is removed, also while the installation allows none. */
  async removeAll(userId: string): Promise<void> {
    const { database, clients } = this.#deps;
    const own = await listOwnServers(database, userId);
    for (const { id } of own) {
      await database.transaction().execute((db) => deleteServer(db, id));
      await clients.close(id);
    }
  }

  /** Asks a server for its tools. @throws Failure `not-found`, `not-permitted` */
  async refresh(userId: string, id: string, signal: AbortSignal): Promise<PersonalServer> {
    const { database, servers, clients } = this.#deps;
    const server = await servers.findFor(database, userId, id);
    if (!server) {
      await ownRow(database, userId, id);
      throw new Failure("not-permitted");
    }
    const listing = await clients.refresh(server, userId, signal);
    const described = await this.#find(userId, id);
    return listing.ok || listing.reason === undefined ? described : { ...described, reason: listing.reason };
  }

  async #find(userId: string, id: string): Promise<PersonalServer> {
    const { database: db, servers } = this.#deps;
    const row = await findServerRow(db, { id, userId });
    const server = row ? servers.open(row) : await servers.findFor(db, userId, id);
    if (!server) throw new Failure("not-found");
    return (await this.#describer(userId, [server]))(server);
  }

  async #describer(userId: string, all: readonly McpServer[]) {
    const { database: db, servers } = this.#deps;
    const states = await findStates(db, all, userId);
    const signIns = new Map((await listSignIns(db, userId)).map((signIn) => [signIn.server, signIn]));
    return (server: McpServer) =>
      describeServer(server, states.get(server.key), {
        signIn: signIns.get(server.key),
        isOn: server.source !== "person" || servers.allowsOwn,
      });
  }
}

type Described = { signIn: StoredSignIn | undefined; isOn: boolean };

function describeServer(
  server: McpServer,
  state: McpServerStateRow | undefined,
  { signIn, isOn }: Described,
): PersonalServer {
  const listed = toListedServer(server, state);
  const { transport, source } = server;
  return {
    ...listed,
    isOn,
    ...(source === "person" && transport.kind === "http" && { url: transport.url }),
    ...(state?.failure && { failure: state.failure }),
    ...(state?.listed_at && { listedAt: state.listed_at }),
    ...(signIn && { signedInAt: signIn.created_at, issuer: hostOf(signIn.issuer) }),
  };
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? "";

/** @throws Failure `not-found` */
async function ownRow(db: Queryable, userId: string, id: string): Promise<McpServerRow> {
  const row = await findServerRow(db, { id, userId });
  if (!row) throw new Failure("not-found");
  return row;
}

const FALLBACK = "server";

/** Returns the slug that a new server of a person gets. @param present servers of the person */
function chooseOwnSlug(name: string, present: readonly McpServerRow[]): string {
  const named = chooseSlug(name, { taken: [], fallback: FALLBACK });
  return chooseSlug(`${OWN_SLUG_PREFIX}${named}`, {
    taken: present.map(({ slug }) => slug),
    fallback: `${OWN_SLUG_PREFIX}${FALLBACK}`,
  });
}

/** Returns the address of a person's server. @throws Failure `invalid-input` */
function canonicalAddress(entered: string): string {
  const url = URL.parse(entered);
  if (!url || ownAddressProblem(entered, url) !== undefined || isMetadataHost(url.hostname)) {
    throw new Failure("invalid-input", { issues: [{ field: "url", rule: "invalid" }] });
  }
  return url.href;
}
