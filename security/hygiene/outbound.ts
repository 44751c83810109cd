import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { API_BASE, paths } from "#contract/paths.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Part } from "../part.ts";
import { newChat } from "../routes/route-ground.ts";
import type { Site } from "../site.ts";

const LOOK_EACH_MS = 5;
const NAMES_OF_SETTINGS = "$" + "{OPENAI_API_KEY} {{token}} $(id) %OPENAI_API_KEY%";

/** J1: whom the server calls. */
export const outbound: Part = {
  name: "outbound",
  async run({ report, startSite }) {
    await report.try("J1", "everything that the server opens a connection to, under use", async (trial) => {
      await using trap = await startTrap();
      // Names of proxies must not send it elsewhere either.
      const env = { HTTP_PROXY: trap.url, HTTPS_PROXY: trap.url, http_proxy: trap.url, ALL_PROXY: trap.url };
      await using site = await startSite({ hasGoogle: true, env });
      const watch = watchConnections(site);
      const ada = await signUp(site);
      trial.count(await useAll(site, ada, trap.url));
      const ports = await watch.stop();
      const own = [site.mail.url, site.provider.url, site.keys.url].map((url) => Number(new URL(url).port));
      const elsewhere = [...ports].filter((port) => !own.includes(port));
      trial.expect(elsewhere.length === 0, () => `it connected to ports ${elsewhere.join(", ")}`);
      trial.expect(trap.asked.length === 0, () => `it asked elsewhere: ${trap.asked.join(", ")}`);
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
      trial.expect(isLiteral, "names of settings in a text did not reach the provider as they were (V40)");
      trial.expect(!provider.requests.some(({ path }) => path.includes("elsewhere")), "a redirect was followed");
    });
  },
};

/** A server that nobody has a reason to ask. */
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

/** Texts that name addresses, wherever texts go. @returns how many */
async function useAll(site: Site, ada: Person, trapUrl: string): Promise<number> {
  const bait = `${trapUrl}/bait.png`;
  const chat = await newChat(site, ada);
  const ask = (body: object) =>
    site.send({ method: "POST", path: API_BASE + paths.chatSend(chat), token: ada.token, body });
  const texts = [`![x](${bait})`, `<img src="${bait}">`, `[a](${bait}) ${bait}`, NAMES_OF_SETTINGS];
  for (const message of texts) {
    site.provider.reply = message;
    await ask({ message, model: trapUrl, baseURL: trapUrl });
    await ask({ message, baseURL: trapUrl, apiKey: "a" });
  }
  const id_token = await site.keys.issueIdToken({ sub: "9", email: "bait@gmail.com", picture: bait });
  await site.send({ method: "POST", path: API_BASE + paths.google, body: { id_token } });
  site.provider.next("redirect");
  await ask({ message: "This is answered by a redirect." });
  return 2 * texts.length + 2;
}

/** Sees every connection that a server opens and keeps for some milliseconds, by its port at the other end. */
function watchConnections(site: Site) {
  const ports = new Set<number>();
  let isOver = false;
  let canSee = false;
  const watching = (async () => {
    while (!isOver) {
      const open = await outboundPorts(site.server.pid ?? 0, site.server.port);
      canSee ||= open !== undefined;
      for (const port of open ?? []) ports.add(port);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS));
    }
  })();
  return {
    canSee: () => canSee,
    stop: async (): Promise<ReadonlySet<number>> => {
      isOver = true;
      await watching;
      return ports;
    },
  };
}

/** Where the connections of a process lead, but for those that lead to its own port. Linux only. */
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
