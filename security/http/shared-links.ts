import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import { defaultShareOptions, type Share, type ShareDraft } from "#contract/shares/shares.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { type Answer, jsonOf, type OutgoingRequest } from "../../testing/http/send.ts";
import { type AccountCall, draftBy, importChatBy, publishBy, tokenOf } from "../../testing/shares/share-chat.ts";
import { inBatches } from "../clients/in-batches.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

/** Text of a message that comes after the snapshot, and of a chat that is not shared. */
const LATER = "canary-after-the-snapshot";

/** H6: links to snapshots of chats, on both engines. */
export const sharedLinks: Suite = {
  name: "shared-links",
  async run(harness) {
    await tryOn(harness, "sqlite");
    if (harness.hasPostgres) await tryOn(harness, "postgres");
  },
};

type Shared = {
  site: Site;
  owner: Person;
  other: Person;
  chat: string;
  share: Share;
  draft: ShareDraft;
  token: string;
};

async function tryOn(harness: Harness, database: "sqlite" | "postgres"): Promise<void> {
  await using site = await harness.startSite({ database });
  const shared = await shareChat(site);
  await tryTokens(harness, shared, database);
  await tryFiles(harness, shared, database);
  await tryOthers(harness, shared, database);
  await tryCrawler(harness, shared, database);
  await tryRevoked(harness, shared, database);
}

const call = (site: Site, request: Omit<OutgoingRequest, "path"> & { path: string }): Promise<Answer> =>
  site.send({ ...request, path: API_BASE + request.path });

async function shareChat(site: Site): Promise<Shared> {
  const [owner, other] = [await signUp(site), await signUp(site)];
  const callAs: AccountCall = async (method, path, body) => {
    const answer = await call(site, { method, path, token: owner.token, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return jsonOf(answer);
  };
  const chat = await importChatBy(callAs);
  const unshared = message({ content: LATER });
  await importChatBy(callAs, { messages: [unshared], leaf: unshared.id });
  const share = await publishBy(callAs, await draftBy(callAs, chat));
  await callAs("POST", conversationPaths.chatMessage(chat), { role: "user", content: LATER });
  return { site, owner, other, chat, share, draft: await draftBy(callAs, chat), token: tokenOf(share) };
}

/** Of base64url. */
const SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const read = (site: Site, token: string, bearer?: string) =>
  call(site, {
    method: "GET",
    path: sharePaths.sharedPage(encodeURIComponent(token)),
    ...(bearer !== undefined && { token: bearer }),
  });

async function tryTokens({ report, random }: Harness, shared: Shared, database: string): Promise<void> {
  const { site, chat, share, draft, token, owner } = shared;
  await report.try("H6", `tokens near that of a link, and ids, ${database}`, async (trial) => {
    const first = await read(site, token);
    trial.expect(first.status === 200 && !first.text.includes(LATER), () => `the link: ${first.status}`);
    const absent = await read(site, "A".repeat(22));
    const swapped = [...token].map(
      (_, at) => token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1),
    );
    const random22 = Array.from({ length: 200 }, () =>
      Array.from({ length: 22 }, () => SYMBOLS[random.between(0, SYMBOLS.length - 1)]).join(""),
    );
    const wrong = [
      ...swapped,
      ...random22,
      ...[share.id, draft.id, chat, owner.user.id, token.slice(1), `${token}A`, `${token}=`, token.toUpperCase()],
      ...[` ${token}`, `${token}\0`, `${token}/`, `../shares/${share.id}/page`, "%", "'", "null", "undefined"],
    ].filter((each) => each !== token);
    await inBatches(wrong, async (each) => {
      const answer = await read(site, each);
      const isSame = answer.status === 404 && answer.text === absent.text;
      trial.expect(isSame || answer.status === 400, () => `${each}: ${answer.status} ${answer.text.slice(0, 80)}`);
    });
  });
}

async function tryFiles({ report }: Harness, { site, token, chat }: Shared, database: string): Promise<void> {
  await report.try("H6", `files beyond the snapshot of a link, ${database}`, async (trial) => {
    const positions = [...Array.from({ length: 50 }, (_, at) => String(at)), "-1", "1e0", "0x0", chat, "..", "%2e%2e"];
    await inBatches(positions, async (position) => {
      const path = sharePaths.sharedFile(token, encodeURIComponent(position));
      const { status } = await call(site, { method: "GET", path });
      trial.expect(status === 404, () => `${position}: ${status}`);
    });
  });
}

async function tryOthers({ report }: Harness, shared: Shared, database: string): Promise<void> {
  const { site, owner, other, share, draft, chat, token } = shared;
  await report.try("H6", `drafts and links of another account, ${database}`, async (trial) => {
    const requests: { method: string; path: string; body?: unknown }[] = [
      { method: "GET", path: sharePaths.page(share.id) },
      { method: "GET", path: sharePaths.page(draft.id) },
      { method: "GET", path: sharePaths.file(draft.id, 0) },
      { method: "DELETE", path: sharePaths.share(share.id) },
      { method: "POST", path: sharePaths.drafts(chat), body: defaultShareOptions },
      { method: "POST", path: sharePaths.publication(draft.id), body: { audience: "anyone", days: null } },
      {
        method: "POST",
        path: sharePaths.publication(draft.id),
        body: { audience: "anyone", days: null, replaces: share.id },
      },
    ];
    for (const request of requests) {
      const { status } = await call(site, { ...request, token: other.token });
      trial.expect(status === 404, () => `${request.method} ${request.path}: ${status}`);
    }
    const all = await call(site, { method: "DELETE", path: sharePaths.shares, token: other.token });
    trial.expect(all.text === '{"revoked":0}', () => `revoking all: ${all.text}`);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const { status } = await call(site, { method, path: sharePaths.sharedPage(token), token: owner.token });
      trial.expect(status === 405, () => `${method} of a link: ${status}`);
    }
    const afterwards = await read(site, token);
    trial.expect(
      afterwards.status === 200 && !afterwards.text.includes(LATER),
      () => `the link afterwards: ${afterwards.status}`,
    );
  });
}

/** Pages and files that a visitor finds without an account. */
const PUBLIC = ["/", "/login", "/register", "/robots.txt", "/sitemap.xml", "/manifest.webmanifest", "/s/", "/s"];

async function tryCrawler({ report }: Harness, { site, token, share }: Shared, database: string): Promise<void> {
  await report.try("H6", `a crawler without an account, ${database}`, async (trial) => {
    const api = [
      "/api/docs",
      "/api/openapi.json",
      `${API_BASE}/auth/config`,
      `${API_BASE}/shared/`,
      `${API_BASE}/shares`,
    ];
    for (const path of [...PUBLIC, ...api]) {
      const { text } = await site.send({ path });
      trial.expect(!text.includes(token) && !text.includes(share.id), () => `${path} names the link`);
    }
    const { headers, text } = await site.send({ path: `/s/${token}` });
    trial.expect(headers["x-robots-tag"]?.includes("noindex") === true, () => "the document may be indexed");
    trial.expect(headers["cache-control"] === "no-store", () => `the document: ${headers["cache-control"]}`);
    trial.expect(headers["set-cookie"] === undefined, () => "the document sets a cookie");
    trial.expect(!text.includes("What is a fjord?"), () => "the document has words of the chat");
    const page = await read(site, token);
    trial.expect(page.headers["set-cookie"] === undefined, () => "the page sets a cookie");
    trial.expect(page.headers["cache-control"] === "no-store", () => `the page: ${page.headers["cache-control"]}`);
    const logs = await site.logs();
    trial.expect(!logs.includes(token), () => "the log has the token");
  });
}

async function tryRevoked({ report }: Harness, { site, owner, share, token }: Shared, database: string): Promise<void> {
  await report.try("H6", `a revoked link, ${database}`, async (trial) => {
    const absent = {
      page: await read(site, "A".repeat(22)),
      document: await site.send({ path: `/s/${"A".repeat(22)}` }),
    };
    const { status } = await call(site, { method: "DELETE", path: sharePaths.share(share.id), token: owner.token });
    trial.expect(status === 204, () => `revoking: ${status}`);
    for (const bearer of [undefined, owner.token]) {
      const answer = await read(site, token, bearer);
      trial.expect(answer.status === 404 && answer.text === absent.page.text, () => `the page: ${answer.status}`);
    }
    const document = await site.send({ path: `/s/${token}` });
    trial.expect(document.text === absent.document.text, () => "the document differs from that of an absent link");
    const copy = await call(site, { method: "POST", path: sharePaths.sharedCopy(token), token: owner.token });
    trial.expect(copy.status === 404, () => `a copy: ${copy.status}`);
  });
}
