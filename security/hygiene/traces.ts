import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { ownServerPaths } from "#contract/mcp/own-servers.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { newPerson, newToken, nextKey, register, signIn, signUp } from "../clients/person.ts";
import { describedRoutes, type Schema } from "../routes/api-routes.ts";
import { newChat } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

/** Canaries in messages of a chat. */
const STORED_TEXTS = ["message", "second message", "reply"];

/**
 * J2, J6: fields that accept URLs, and secrets in the output and files of a server process. Log lines (J6) are tested
 * in `server/http/`.
 */
export const traces: Suite = {
  name: "traces",
  async run(harness) {
    await using site = await harness.startSite({ hasGoogle: true });
    await tryUrls(harness, site);
    await tryLogs(harness, site);
  },
};

/** Paths of what has addresses that only owners set (J1). */
const ownersPaths = [
  administrationPaths.connections,
  administrationPaths.webSearch,
  // Of people, whose servers have public addresses only.
  ownServerPaths.servers,
  administrationPaths.identityProviders,
  administrationPaths.identityProviderCheck,
  administrationPaths.mcpServers,
  administrationPaths.mcpServerCheck,
].map((path) => API_BASE + path);
/** Their fields; `images`: whether a model sees pictures. */
const ownersFields = ["baseUrl", "usesProxy", "images", "issuer", "url"];

async function tryUrls({ report }: Harness, site: Site): Promise<void> {
  await report.try("J2", "fields and parameters that take addresses to fetch", async (trial) => {
    for (const { method, path, body, parameters } of await describedRoutes(site)) {
      const names = [...namesIn(body), ...parameters.map(({ name }) => name)];
      const found = names.filter((name) =>
        /url|uri|href|host|endpoint|issuer|proxy|webhook|icon|image|avatar|picture/i.test(name),
      );
      const isAllowed = ownersPaths.some((each) => path.startsWith(each))
        ? found.every((name) => ownersFields.includes(name))
        : found.length === 0;
      trial.expect(isAllowed, () => `${method} ${path} takes ${found.join(", ")}`);
    }
  });
}

function namesIn(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [name, ...namesIn(one)]);
  return [...own, ...(schema.anyOf ?? []).flatMap(namesIn), ...namesIn(schema.items)];
}

async function tryLogs({ report }: Harness, site: Site): Promise<void> {
  const canaries = { password: "canary password one", message: "canary-message-two", reply: "canary-reply-three" };
  site.provider.reply = canaries.reply;
  const ada = await signUp(site, { password: canaries.password });
  const token = await newToken(site, { ...ada, password: canaries.password });
  const chat = await newChat(site, { token });
  const chatPath = API_BASE + conversationPaths.chatSend(chat);
  await site.send({ method: "POST", path: chatPath, token, body: { message: canaries.message } });
  await site.send({
    method: "POST",
    path: chatPath,
    token,
    body: { message: "canary-five" },
    headers: { "x-canary": "canary-header-six", cookie: "a=canary-cookie-seven" },
  });
  const temporary = { question: "canary-temporary-nine", answer: "canary-temporary-ten" };
  site.provider.reply = temporary.answer;
  const response = await site.send({
    method: "POST",
    path: API_BASE + conversationPaths.temporaryReply,
    token,
    body: { messages: [{ role: "user", content: temporary.question }] },
  });
  await signIn(site, { username: ada.username, password: "canary-wrong-eight" });
  const pending = newPerson();
  await register(site, pending);
  const key = await nextKey(site, pending.email);
  await site.send({ method: "POST", path: API_BASE + accountPaths.verify, body: { key } });
  const { csrf } = await csrfOf(site);
  await site.send({ method: "POST", path: API_BASE + accountPaths.logout, token });
  const lines = (await site.logs()).split("\n").filter((line) => line.trim() !== "" && !/ is running on /.test(line));
  await report.try("J6", "all output of the process: lines of JSON", (trial) => {
    for (const line of lines) trial.expect(tryParse(line) !== undefined, () => `not a line of JSON: ${line}`);
  });
  await report.try("J6", "a temporary chat is answered", (trial) => {
    trial.expect(response.text.includes(temporary.answer), () => `it answered ${response.status}: ${response.text}`);
  });
  await report.try("J6", "secrets and texts in the log, the data folder and the database", async (trial) => {
    const secrets = {
      ...canaries,
      "second message": "canary-five",
      token,
      signature: token.split(".")[2] ?? token,
      key,
      csrf,
      header: "canary-header-six",
      cookie: "canary-cookie-seven",
      wrong: "canary-wrong-eight",
      provider: "sk-canary-openai-key",
      "temporary question": temporary.question,
      "temporary answer": temporary.answer,
    };
    const log = lines.join("\n");
    for (const [name, secret] of Object.entries(secrets))
      trial.expect(!log.includes(secret), () => `the log holds the ${name}`);
    const rows = JSON.stringify(await databaseRows(site));
    const stored = Object.entries(secrets).filter(([name]) => !STORED_TEXTS.includes(name));
    for (const [name, secret] of stored) trial.expect(!rows.includes(secret), () => `the database holds the ${name}`);
    for (const file of await readdir(site.dataDir, { recursive: true })) {
      const bytes = await readFile(join(site.dataDir, file)).catch(() => Buffer.alloc(0));
      for (const [name, secret] of stored) trial.expect(!bytes.includes(secret), () => `${file} holds the ${name}`);
    }
  });
}

async function csrfOf(site: Site): Promise<{ csrf: string }> {
  const { headers } = await site.send({
    path: API_BASE + accountPaths.authConfig,
    headers: { "sec-fetch-site": "none" },
  });
  return { csrf: /XSRF-TOKEN=([^;]+)/.exec((headers["set-cookie"] ?? []).join())?.[1] ?? "no cookie" };
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
