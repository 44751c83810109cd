// The client of the official conformance suite in its scenarios of OAuth: signs in by our flow, follows the redirect of the
// authorisation server in place of a browser, and calls the tools of the server. Its last argument is the server's address.
import process from "node:process";
import {
  Client,
  InsufficientScopeError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { pino } from "pino";
import * as z from "zod/mini";
import { McpAuthorisations } from "../../server/mcp/oauth/mcp-authorisations.ts";
import { type Guard, type HttpMcpServer, oauthFetchOf, requestChallenge } from "../../server/mcp/oauth/oauth-fetch.ts";
import { beginFlow, finishFlow } from "../../server/mcp/oauth/oauth-flow.ts";
import { oauthIdentityOf } from "../../server/mcp/oauth/oauth-identity.ts";
import { allowedHostOf } from "../../server/outbound/guarded-request.ts";
import { Outbound } from "../../server/outbound/outbound.ts";
import { OutboundGuard } from "../../server/outbound/outbound-guard.ts";
import { MemoryClients, MemoryTokens } from "./memory-stores.ts";

const CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json";
/** Sign-ins after which a call that still lacks one is given up, as a person would. */
const SIGN_INS = 3;

const url = process.argv.at(-1) ?? "";
const { MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const preregisteredSchema = z.object({ client_id: z.string(), client_secret: z.string(), issuer: z.string() });

const server: HttpMcpServer = {
  key: "file:conformance",
  slug: "conformance",
  name: "Conformance",
  source: "file",
  transport: { kind: "http", url, headers: {} },
  isTrusted: false,
  chosenTools: null,
};
const owner = { server: server.key, userId: "ada" };
const outbound = new OutboundGuard({ outbound: new Outbound() });
/** Requests this machine, where the suite has its servers. */
const guard: Guard = {
  open: (address, request) => outbound.open(address, { ...request, allowed: allowedHostOf(new URL(address)) }),
};
const oauthFetch = oauthFetchOf(guard, server);
const tokens = new MemoryTokens();
const clients = new MemoryClients();
const log = pino({ level: "silent" });
const authorisation = new McpAuthorisations({ tokens, clients, guard, log }).authorisationOf(server, owner.userId);
const identity = {
  ...oauthIdentityOf({ publicUrl: "http://localhost:3000", productName: "Parley" }),
  clientMetadataUrl: CLIENT_DOCUMENT,
};

async function signIn(): Promise<void> {
  const known = await tokens.find();
  const scope = [known?.body.scope, known?.body.wantedScope].filter((each) => each !== undefined).join(" ");
  const challenge = await requestChallenge(guard, server);
  const state = crypto.randomUUID();
  const { address, body } = await beginFlow(
    { ...identity, fetch: oauthFetch, clients },
    { serverUrl: url, state, challenge, scope },
  );
  const { headers } = await fetch(address, { redirect: "manual" });
  const { searchParams } = new URL(headers.get("location") ?? "");
  if (searchParams.get("state") !== state) throw new Error("The answer has another state");
  const iss = searchParams.get("iss") ?? undefined;
  await tokens.store(owner, await finishFlow(oauthFetch, body, { code: searchParams.get("code") ?? "", iss }));
}

async function callTools(): Promise<void> {
  const client = new Client({ name: "parley", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  try {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { ...(authorisation && { authProvider: authorisation }) }),
    );
    const { tools } = await client.listTools();
    for (const { name } of tools) await client.callTool({ name, arguments: {} });
  } finally {
    await client.close();
  }
}

const preregistered = preregisteredSchema.safeParse(JSON.parse(context)).data;
if (preregistered) await clients.save(preregistered.issuer, preregistered);
for (let times = 0; ; times++) {
  try {
    await callTools();
    break;
  } catch (error) {
    const lacksScope = error instanceof InsufficientScopeError;
    if (times === SIGN_INS || !(lacksScope || error instanceof UnauthorizedError)) throw error;
    if (lacksScope) await authorisation?.needScope(error.requiredScope);
    await signIn();
  }
}
