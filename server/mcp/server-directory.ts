import * as z from "zod/mini";
import { findGroup, findGroupIdOf } from "../accounts/membership/group-store.ts";
import type { FileMcpServer } from "../config/mcp-file.ts";
import type { SecretCipher } from "../config/secret-cipher.ts";
import type { Queryable } from "../database/schema.ts";
import type { McpServerRow } from "../database/tables/mcp-tables.ts";
import { decryptHeaders } from "./mcp-secrets.ts";
import type { McpServer } from "./mcp-server.ts";
import { listInstallationServers, listOwnServers } from "./mcp-server-store.ts";

const idsSchema = z.array(z.string());
/** Parses a JSON array of ids or names; null stays null. */
export const parseIds = (json: string | null) =>
  json === null ? null : (idsSchema.safeParse(JSON.parse(json)).data ?? []);

type ServerDirectoryDeps = {
  /** Of the operator's file. */
  fixed: readonly FileMcpServer[];
  cipher: SecretCipher;
  /** Whether people may have servers of their own. */
  allowsOwn: () => boolean;
};

/** The MCP servers of the installation: of the operator's file first, then of owners, then of the person. */
export class ServerDirectory {
  readonly #deps: ServerDirectoryDeps;

  constructor(deps: ServerDirectoryDeps) {
    this.#deps = deps;
  }

  get fixed(): readonly FileMcpServer[] {
    return this.#deps.fixed;
  }

  /** Whether people may have servers of their own. */
  get allowsOwn(): boolean {
    return this.#deps.allowsOwn();
  }

  /**
   * Lists the servers that an account may use. A server whose headers do not open is not among them. Of two with one
   * slug, the first counts.
   */
  async listFor(db: Queryable, userId: string): Promise<McpServer[]> {
    const rows = await listInstallationServers(db);
    const own = this.allowsOwn ? await listOwnServers(db, userId) : [];
    const groupId = await findGroupIdOf(db, userId);
    const group = groupId === null ? undefined : await findGroup(db, groupId);
    const fixed = this.fixed.filter(
      ({ groups }) => groups === null || (group !== undefined && groups.includes(group.name)),
    );
    const stored = [...rows, ...own].filter(({ groups, is_enabled }) => {
      const ids = parseIds(groups);
      return is_enabled === 1 && (ids === null || (group !== undefined && ids.includes(group.id)));
    });
    const all = [...fixed, ...stored.flatMap((row) => this.open(row) ?? [])];
    return [...new Map(all.toReversed().map((server) => [server.slug, server])).values()].toReversed();
  }

  /** Finds a server that an account may use by its key. */
  async findFor(db: Queryable, userId: string, key: string): Promise<McpServer | undefined> {
    return (await this.listFor(db, userId)).find((server) => server.key === key);
  }

  /** Returns a stored server as calls need it; undefined if the installation's key does not open its headers. */
  open(row: McpServerRow): McpServer | undefined {
    const headers = decryptHeaders(this.#deps.cipher, row);
    if (headers === undefined) return undefined;
    const { id: key, slug, name, url, user_id: userId } = row;
    return {
      key,
      slug,
      name,
      source: userId === null ? "owner" : "person",
      ...(userId !== null && { userId }),
      transport: { kind: "http", url, headers },
      isTrusted: row.is_trusted === 1,
      chosenTools: parseIds(row.chosen_tools),
    };
  }
}
