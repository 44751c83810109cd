import type { Clock } from "../concurrency/clock.ts";
import type { Config } from "../config/config.ts";
import type { FileMcpServer } from "../config/mcp-file.ts";
import { readProgramVersion } from "../config/program-version.ts";
import type { SecretCipher } from "../config/secret-cipher.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Database } from "../database/schema.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { Log } from "../log.ts";
import { McpConnections } from "../mcp/client/mcp-connections.ts";
import type { McpClients } from "../mcp/mcp-clients.ts";
import { McpAuthorisations } from "../mcp/oauth/mcp-authorisations.ts";
import { McpSignIns } from "../mcp/oauth/mcp-sign-ins.ts";
import type { Guard } from "../mcp/oauth/oauth-fetch.ts";
import { type OauthSettings, oauthIdentityOf, redirectUrlOf } from "../mcp/oauth/oauth-identity.ts";
import { RegisteredClients } from "../mcp/oauth/registered-clients.ts";
import { StoredTokens } from "../mcp/oauth/stored-tokens.ts";
import { ServerDirectory } from "../mcp/server-directory.ts";
import type { Outbound } from "../outbound/outbound.ts";

export type McpDeps = {
  config: Pick<Config, "publicUrl">;
  secrets: Pick<Secrets, "mcpServers">;
  database: Database;
  cipher: SecretCipher;
  clock: Clock;
  log: Log;
  outbound: Outbound;
  installation: InstallationSettings;
};

/** Replacements for tests. */
export type McpOverrides = {
  /** Servers in place of those of the operator's file. */
  mcpServers?: readonly FileMcpServer[];
  /** Whether requests of tools may connect to an IP address. */
  isPublicAddress?: (address: string) => boolean;
};

/** MCP servers, the connections to them, and the sign-ins of people. `settings`: of this installation as a client. */
export type Mcp = {
  readonly servers: ServerDirectory;
  readonly authorisations: McpAuthorisations;
  readonly clients: McpClients;
  readonly signIns: McpSignIns;
  readonly settings: () => OauthSettings;
};

/** Opens the MCP servers of the installation. Nothing of the protocol is loaded before the first connection. */
export async function openMcp(
  opened: AsyncDisposableStack,
  deps: McpDeps,
  { mcpServers, isPublicAddress }: McpOverrides,
): Promise<Mcp> {
  const { config, secrets, cipher, outbound, installation } = deps;
  const { publicUrl } = config;
  const servers = new ServerDirectory({
    fixed: mcpServers ?? secrets.mcpServers ?? [],
    cipher,
    allowsOwn: () => installation.current.ownToolServers === "on",
  });
  const settings = () => ({ publicUrl, productName: installation.current.productName });
  const guard = lazyGuard({ outbound, isPublic: isPublicAddress });
  const tokens = new StoredTokens(deps);
  const registered = new RegisteredClients({ ...deps, redirectUrl: redirectUrlOf(config) });
  const authorisations = new McpAuthorisations({ ...deps, tokens, clients: registered, guard });
  const clients = opened.use(
    new McpConnections({
      ...deps,
      version: await readProgramVersion(),
      isPublicAddress,
      authorisationOf: (server, userId) => authorisations.authorisationOf(server, userId),
    }),
  );
  const identity = () => oauthIdentityOf(settings());
  const signIns = new McpSignIns({ ...deps, guard, servers, clients, tokens, registered, identity });
  return { servers, authorisations, clients, signIns, settings };
}

type LazyGuardDeps = { outbound: Outbound; isPublic: McpOverrides["isPublicAddress"] | undefined };

/** Returns a guard that is loaded with its first request. */
const lazyGuard = ({ outbound, isPublic }: LazyGuardDeps): Guard => ({
  open: async (address, request) => {
    const { OutboundGuard } = await import("../outbound/outbound-guard.ts");
    return new OutboundGuard({ outbound, ...(isPublic && { isPublic }) }).open(address, request);
  },
});
