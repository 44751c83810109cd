import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { OwnerOfConnections } from "../../testing/accounts/connections.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { unusedAddress } from "../../testing/provider/model-calls.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { startFaultyServer } from "../../testing/servers/faulty-server.ts";
import { createSelfSigned } from "../../testing/servers/self-signed.ts";
import { listModels } from "../models/connections/discovery/list-models.ts";
import { describeRefusal } from "../models/connections/refusal-of.ts";
import { ProviderConnection } from "../models/providers/provider-connection.ts";
import { Outbound } from "../outbound/outbound.ts";

type Server = AsyncDisposable & { baseUrl: string };

const HOST = "127.0.0.1";
const trusted = getCACertificates("default");
const certificates = {
  own: createSelfSigned({ host: HOST, until: Date.now() + DAY }),
  expired: createSelfSigned({ host: HOST, until: Date.now() - DAY }),
  other: createSelfSigned({ host: "other.example", until: Date.now() + DAY }),
};

async function faulty(
  ...[behaviour, tls, scheme = "http"]: [...Parameters<typeof startFaultyServer>, string?]
): Promise<Server> {
  const server = await startFaultyServer(behaviour, tls);
  return Object.assign(server, { baseUrl: `${scheme}://${HOST}:${server.port}/v1` });
}

const nowhere = (baseUrl: string): Server => ({ baseUrl, [Symbol.asyncDispose]: async () => undefined });

const servers: Record<string, () => Promise<Server>> = {
  "a port on which nothing listens": async () => nowhere(await unusedAddress()),
  "a name that does not exist": async () => nowhere("http://no-such-host.invalid/v1"),
  "a certificate that signs itself": () => faulty("closing", certificates.own, "https"),
  "a trusted certificate that has expired": () => faulty("closing", certificates.expired, "https"),
  "a trusted certificate of another host": () => faulty("closing", certificates.other, "https"),
  "http at a server without TLS, addressed by https": async () => {
    const provider = await startScriptedProvider();
    const baseUrl = provider.baseUrl.replace("http:", "https:");
    return { baseUrl, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
  },
  "a server that closes": () => faulty("closing", undefined),
  "a server that resets": () => faulty("resetting", undefined),
  "a mail server": () => faulty("mail", undefined),
};

let opened: AsyncDisposableStack;
let app: TestApp;
let owner: TestAccount;
let connections: OwnerOfConnections;

const startAs = async (env: Record<string, string>) => {
  app = opened.use(await startTestApp({ env: { RATE_LIMITS: "off", ...env } }));
  owner = await signUpAs(app, "owner");
  connections = new OwnerOfConnections(app, owner);
};

beforeAll(async () => {
  opened = new AsyncDisposableStack();
  setDefaultCACertificates([...trusted, certificates.expired.cert, certificates.other.cert]);
  await startAs({});
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await opened[Symbol.asyncDispose]();
});

/** Returns what the list and the test of a new connection say. */
async function refusalsOf(baseUrl: string) {
  const { slug, list } = await connections.create({ kind: "openai", name: "Faulty", baseUrl });
  const tested = await app.call("POST", administrationPaths.providerCheck(slug), { token: owner.token, body: {} });
  await connections.remove(slug);
  return [list, await tested.json()];
}

describe("the reason for which a connection does not come about", () => {
  it.each([
    ["a port on which nothing listens", "no-listener"],
    ["a name that does not exist", "unknown-host"],
    ["a certificate that signs itself", "certificate"],
    ["a trusted certificate that has expired", "certificate-expired"],
    ["a trusted certificate of another host", "certificate-host"],
    ["http at a server without TLS, addressed by https", "no-tls"],
    ["a server that closes", "closed"],
    ["a server that resets", "closed"],
    ["a mail server", "not-http"],
  ])("%s gives the list and the test of a connection the reason “%s”", async (kind, reason) => {
    await using server = await servers[kind]?.();
    const [list, test] = await refusalsOf(server?.baseUrl ?? "");
    expect(list).toEqual({ state: "away", reason, offered: 0, all: 0 });
    expect(test).toMatchObject({ ok: false, code: "assistant-unreachable", reason });
    expect(test).not.toHaveProperty("isOwnContainer");
  });

  it("a server that never answers gives the list the reason “slow”", async () => {
    await using server = await faulty("silent", undefined);
    await using connection = new ProviderConnection({ baseUrl: server.baseUrl }, { outbound: new Outbound() });
    const error = await listModels(connection, { kind: "openai", timeoutMs: 100 }).catch((cause: unknown) => cause);
    expect(describeRefusal(error, { hostname: HOST, isInContainer: true })).toEqual({ reason: "slow" });
  });
});

describe("a server in a container", () => {
  it("says that a loopback address is its own container, and that no other address is", async () => {
    await startAs({ container: "oci" });
    const { port } = new URL(await unusedAddress());
    for (const host of [HOST, "localhost"]) {
      const refusals = await refusalsOf(`http://${host}:${port}/v1`);
      const expected = expect.objectContaining({ reason: "no-listener", isOwnContainer: true });
      expect(refusals, host).toEqual([expected, expected]);
    }
    const elsewhere = await refusalsOf("http://no-such-host.invalid/v1");
    for (const refusal of elsewhere) expect(refusal).not.toHaveProperty("isOwnContainer");
  });
});
