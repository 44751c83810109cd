import type { ServerResponse } from "node:http";
import { metadataAddresses, startInnerServer } from "./inner-addresses.ts";
import { resetSignIns, type SignInTarget } from "./sign-in-target.ts";

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp";
const ISSUER_METADATA = "/.well-known/oauth-authorization-server";
const MEMORY_MB = 500;
const REDIRECT = 302;

/** N2, N4, K9: metadata that lead a sign-in elsewhere. */
export async function tryMetadata(target: SignInTarget): Promise<void> {
  await tryInside(target);
  await tryPages(target);
  await trySizes(target);
}

type Lead = (target: SignInTarget, address: string) => void;

const endpoint =
  (name: string): Lead =>
  ({ remote }, address) => {
    remote.authorisation.replacedMetadata = { [name]: address };
  };

const redirected =
  (path: string): Lead =>
  ({ remote }, location) => {
    remote.intercept = ({ url }, response) => url === path && Boolean(response.writeHead(REDIRECT, { location }).end());
  };

/** Ways to lead a sign-in to an address. The registration comes first, because a registered client is stored. */
const leads: Record<string, Lead> = {
  "registration endpoint": endpoint("registration_endpoint"),
  "resource metadata": ({ remote }, address) => {
    remote.namedMetadata = address;
  },
  "authorisation server": ({ remote }, address) => {
    remote.issuers = [address];
  },
  issuer: endpoint("issuer"),
  "token endpoint": endpoint("token_endpoint"),
  "redirect of the token endpoint": ({ remote }, address) => {
    remote.authorisation.tokenRedirect = address;
  },
  "redirect of resource metadata": redirected(RESOURCE_METADATA),
  "redirect of issuer metadata": redirected(ISSUER_METADATA),
  "revocation endpoint": endpoint("revocation_endpoint"),
};

async function tryInside(target: SignInTarget): Promise<void> {
  const { harness, ada, remote } = target;
  const what = "metadata, endpoints and redirects of a sign-in that lead inside";
  await harness.report.try("N2", what, async (trial) => {
    await using inner = await startInnerServer();
    const byTls = inner.addresses.slice(0, 3).map((address) => address.replace("http:", "https:"));
    const addresses = [...byTls, ...inner.addresses, ...metadataAddresses];
    for (const [name, lead] of Object.entries(leads)) {
      for (const address of addresses) {
        resetSignIns(target);
        lead(target, address);
        const { status } = await ada.signIn(remote);
        const isRefused = name === "revocation endpoint" || status >= 400;
        trial.expect(isRefused && inner.connections === 0, () => `${name} at ${address}: ${status}`);
        await ada.signOut();
        trial.expect(inner.connections === 0, () => `${name} at ${address} was requested at the sign-out`);
      }
    }
    resetSignIns(target);
    const { status } = await ada.signIn(remote);
    trial.expect(status === 200, () => `a sign-in by right metadata answered ${status}`);
    await ada.signOut();
  });
}

const pages = [
  ...["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:a", "file:///etc/passwd"],
  ...["blob:https://a.example/1", "http://login.example.org/authorize", "//login.example.org", "JaVaScRiPt:alert(1)"],
];

async function tryPages(target: SignInTarget): Promise<void> {
  const { harness, ada, remote } = target;
  await harness.report.try("N4", "pages of a sign-in with schemes that run or read", async (trial) => {
    for (const page of pages) {
      resetSignIns(target);
      remote.authorisation.replacedMetadata = { authorization_endpoint: page };
      const { status, text } = await ada.begin();
      trial.expect(status >= 400 && !text.includes(page), () => `${page}: ${status} ${text.slice(0, 200)}`);
    }
  });
}

const json = (response: ServerResponse, body: object) =>
  Boolean(response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)));
const numbers = (count: number) => Array.from({ length: count }, () => 1);

const BROKEN_HEADER = "a token that breaks its header";
const NO_ISSUERS = "100,000 issuers that are none";
/** The token is never sent; without an issuer, the server itself is asked. */
const harmless = new Set([BROKEN_HEADER, NO_ISSUERS]);

async function trySizes(target: SignInTarget): Promise<void> {
  const { harness, ada, remote, tools } = target;
  const { origin } = remote;
  await harness.report.try("K9", "metadata and tokens of great length and number", async (trial) => {
    const before = tools.site.server.rssMb();
    const answers: [string, string, object][] = [
      ["resource metadata of 10 MB", RESOURCE_METADATA, { resource: remote.url, a: "a".repeat(10_000_000) }],
      [NO_ISSUERS, RESOURCE_METADATA, { resource: remote.url, authorization_servers: numbers(100_000) }],
      ["issuer metadata of 10 MB", ISSUER_METADATA, { issuer: origin, a: "a".repeat(10_000_000) }],
      ["100,000 scopes that are none", ISSUER_METADATA, { issuer: origin, scopes_supported: numbers(100_000) }],
      ["a token of 10 MB", "/token", { access_token: "a".repeat(10_000_000), token_type: "Bearer" }],
      [BROKEN_HEADER, "/token", { access_token: "a\r\nx-injected: yes", token_type: "Bearer" }],
    ];
    for (const [name, path, body] of answers) {
      resetSignIns(target);
      remote.intercept = ({ url }, response) => url === path && json(response, body);
      const { status } = await ada.signIn(remote);
      const isRefused = status >= 400 && status < 600;
      trial.expect(isRefused || harmless.has(name), () => `${name}: ${status}`);
      const grown = tools.site.server.rssMb() - before;
      trial.expect(!(grown > MEMORY_MB), () => `${name}: the process has ${Math.round(grown)} MB more`);
      await ada.signOut();
    }
    resetSignIns(target);
    const { status } = await ada.signIn(remote);
    trial.expect(status === 200, () => `a sign-in afterwards answered ${status}`);
    await ada.signOut();
  });
}
