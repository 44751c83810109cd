import {
  type AdministeredMcpServers,
  administeredMcpServersSchema,
  type McpServerChange,
  type McpServerCheck,
  type McpServerCheckRequest,
  mcpServerCheckSchema,
  type NewMcpServer,
  type SavedMcpServer,
  savedMcpServerSchema,
} from "#contract/administration/mcp-servers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import { newId } from "../../server/database/new-id.ts";
import { findInstallationServer, insertServer } from "../../server/mcp/mcp-server-store.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** Inserts a disabled server of owners without a record, unless it is there. @returns its slug */
export async function insertTestServer({ context }: TestApp): Promise<string> {
  const slug = "inserted";
  if (await findInstallationServer(context.database, slug)) return slug;
  const at = context.clock.now();
  await insertServer(context.database, {
    id: newId(),
    user_id: null,
    slug,
    name: slug,
    url: "http://127.0.0.1:9/mcp",
    headers_encrypted: null,
    groups: null,
    is_trusted: 0,
    is_enabled: 0,
    chosen_tools: null,
    created_at: at,
    updated_at: at,
  });
  return slug;
}

const elsewhere = { name: "Elsewhere", url: "http://127.0.0.1:9/mcp", isEnabled: false };

/** Calls of each writing route of MCP servers. `mcpServer`: slug of a stored one. */
export const attemptsOnServers: Record<string, (scene: { mcpServer: string }) => { path: string; body?: object }[]> = {
  [`POST ${administrationPaths.mcpServers}`]: () => [{ path: administrationPaths.mcpServers, body: elsewhere }],
  [`PATCH ${administrationPaths.mcpServer(":id")}`]: ({ mcpServer }) => [
    { path: administrationPaths.mcpServer(mcpServer), body: { url: "http://127.0.0.1:9/other" } },
  ],
  [`DELETE ${administrationPaths.mcpServer(":id")}`]: ({ mcpServer }) => [
    { path: administrationPaths.mcpServer(mcpServer) },
  ],
  [`POST ${administrationPaths.mcpServerTools(":id")}`]: ({ mcpServer }) => [
    { path: administrationPaths.mcpServerTools(mcpServer) },
  ],
  [`POST ${administrationPaths.mcpServerCheck}`]: () => [
    { path: administrationPaths.mcpServerCheck, body: { url: elsewhere.url } },
  ],
};

/** Returns the servers whose tools an account can switch on: their slugs, states and numbers of tools. */
export async function offeredServers(app: TestApp, { token }: { token: string }): Promise<string[]> {
  const { groups } = toolListSchema.parse(await (await app.call("GET", conversationPaths.tools, { token })).json());
  return groups.flatMap(({ slug, server }) => (server ? [`${slug} ${server.state} ${server.tools.length}`] : []));
}

/** Calls of an owner to the routes of MCP servers; each throws if the server refuses. */
export class OwnerOfServers {
  readonly #app: TestApp;
  readonly #token: string;

  constructor(app: TestApp, { token }: { token: string }) {
    this.#app = app;
    this.#token = token;
  }

  async list(): Promise<AdministeredMcpServers> {
    return administeredMcpServersSchema.parse(await this.#call("GET", administrationPaths.mcpServers));
  }

  async add(body: NewMcpServer): Promise<SavedMcpServer> {
    return savedMcpServerSchema.parse(await this.#call("POST", administrationPaths.mcpServers, body));
  }

  async change(slug: string, body: McpServerChange): Promise<SavedMcpServer> {
    return savedMcpServerSchema.parse(await this.#call("PATCH", administrationPaths.mcpServer(slug), body));
  }

  async remove(slug: string): Promise<void> {
    await this.#call("DELETE", administrationPaths.mcpServer(slug));
  }

  async refresh(slug: string): Promise<SavedMcpServer> {
    return savedMcpServerSchema.parse(await this.#call("POST", administrationPaths.mcpServerTools(slug)));
  }

  async check(request: McpServerCheckRequest): Promise<McpServerCheck> {
    return mcpServerCheckSchema.parse(await this.#call("POST", administrationPaths.mcpServerCheck, request));
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#app.call(method, path, { token: this.#token, ...(body && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}
