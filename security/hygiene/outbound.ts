import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { waitFor } from "../../testing/app/wait-for.ts";
import { type Person, signUp } from "../clients/person.ts";
import { newChat } from "../routes/route-harness.ts";
import type { Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const READ_EVERY_MS = 5;
const NAMES_OF_SETTINGS = "$" + "{OPENAI_API_KEY} {{token}} $(id) %OPENAI_API_KEY%";

/** J1: the servers that Parley connects to. */
export const outbound: Suite = {
  name: "outbound",
  async run({ report, startSite }) {
    await report.try("J1", "all connections that the server opens, during use", async (trial) => {
      await using trap = await startTrap();
      // Its own machine is reached directly, also if a proxy is set.
      const env = { HTTP_PROXY: trap.url, HTTPS_PROXY: trap.url, http_proxy: trap.url, ALL_PROXY: trap.url };
      await using site = await startSite({ hasGoogle: true, env });
      await using watch = watchConnections(site);
      const ada = await signUp(site);
      trial.count(await useAll(site, ada, trap.url));
      trial.count(await holdConnections(site, ada, { watch, bait: `${trap.url}/bait.png` }));
      const ports = await watch.stop();
      const own = [site.mail.url, site.provider.url, site.keys.url].map(portOf);
      const elsewhere = [...ports].filter((port) => !own.includes(port));
      trial.expect(elsewhere.length === 0, () => `it connected to ports ${elsewhere.join(", ")}`);
      trial.expect(trap.asked.length === 0, () => `it connected to other hosts: ${trap.asked.join(", ")}`);
      if (!watch.canSee()) trial.note("this system does not show a process's connections");
      else
        trial.expect(
          own.every((port) => ports.has(port)),
          "the watch has not seen its own servers",
        );
      const { provider } = site;
      const isLiteral = provider.chats.some(({ messages }) =>
        messages.some(({ content }) => content === NAMES_OF_SETTINGS),
      );
      trial.expect(isLiteral, "names of settings in a text did not reach the provider unchanged (V40)");
      trial.expect(!provider.requests.some(({ path }) => path.includes("elsewhere")), "a redirect was followed");
    });
  },
};

/** Starts a server that must not receive any request. */
async function startTrap() {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(`${request.method} ${request.url}`);
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends URLs in texts and settings, and a redirect of the provider. @returns their number */
async function useAll(site: Site, ada: Person, trapUrl: string): Promise<number> {
  const bait = `${trapUrl}/bait.png`;
  const chat = await newChat(site, ada);
  const ask = (body: object) =>
    site.send({ method: "POST", path: API_BASE + conversationPaths.chatSend(chat), token: ada.token, body });
  const texts = [`![x](${bait})`, `<img src="${bait}">`, `[a](${bait}) ${bait}`, NAMES_OF_SETTINGS];
  for (const message of texts) {
    site.provider.reply = message;
    await ask({ message, model: trapUrl, baseURL: trapUrl });
    await ask({ message, baseURL: trapUrl, apiKey: "a" });
  }
  site.provider.next("redirect");
  await ask({ message: "This is answered by a redirect." });
  return 2 * texts.length + 1;
}

/**
 * Makes Parley connect to each configured server, and holds the connection open until the watch has seen it, because a
 * mail may be delivered between two samples. The id_token contains a URL. @returns the number of requests
 */
async function holdConnections(site: Site, ada: Person, { watch, bait }: Held): Promise<number> {
  const { keys, mail, provider } = site;
  const post = (path: string, body: object) =>
    site.send({ method: "POST", path: API_BASE + path, token: ada.token, body });
  provider.next("held");
  const reply = post(conversationPaths.chatSend(await newChat(site, ada)), { message: "This reply is held." });
  await watch.untilSeen(portOf(provider.url));
  provider.finish();
  await reply;
  keys.state = "held";
  const id_token = await keys.issueIdToken({ sub: "9", email: "bait@gmail.com", picture: bait });
  const signedIn = post(accountPaths.google, { id_token });
  await watch.untilSeen(portOf(keys.url));
  keys.letGo();
  await signedIn;
  mail.state = "hang";
  await post(accountPaths.forgotPassword, { email: ada.email });
  await watch.untilSeen(portOf(mail.url));
  return 3;
}

type Held = { watch: ConnectionWatch; bait: string };

const portOf = (url: string) => Number(new URL(url).port);

type ConnectionWatch = ReturnType<typeof watchConnections>;

/** Samples the open connections of a server every few ms, by remote port. */
function watchConnections(site: Site) {
  const ports = new Set<number>();
  let isOver = false;
  let hasRead = false;
  let canSee = false;
  const watching = (async () => {
    while (!isOver) {
      const open = await outboundPorts(site.server.pid ?? 0, site.server.port);
      canSee ||= open !== undefined;
      for (const port of open ?? []) ports.add(port);
      hasRead = true;
      await delay(READ_EVERY_MS);
    }
  })();
  const stop = async (): Promise<ReadonlySet<number>> => {
    isOver = true;
    await watching;
    return ports;
  };
  return {
    canSee: () => canSee,
    /** Waits until a connection to the port was seen, unless connections cannot be read. */
    untilSeen: (port: number) => waitFor(`a connection to port ${port}`, () => ports.has(port) || (hasRead && !canSee)),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Returns the remote ports of a process's connections, except to its own port. Linux only. */
async function outboundPorts(pid: number, ownPort: number): Promise<number[] | undefined> {
  try {
    const links = await readdir(`/proc/${pid}/fd`);
    const targets = await Promise.all(links.map((link) => readlink(`/proc/${pid}/fd/${link}`).catch(() => "")));
    const sockets = new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ""));
    const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")));
    const portOf = (address = "") => Number.parseInt(address.split(":")[1] ?? "0", 16);
    const rows = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
    const own = rows.filter((row) => sockets.has(row[9] ?? "none") && portOf(row[1]) !== ownPort);
    return own.map((row) => portOf(row[2])).filter((port) => port > 0);
  } catch {
    return undefined;
  }
}
