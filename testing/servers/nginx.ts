import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { root } from "../../scripts/child.mjs";
import { unprivilegedOwner } from "../../scripts/unprivileged-user.ts";
import { waitFor } from "../app/wait-for.ts";

/** The documented example, which the tests run on. */
const example = join(root, "deploy", "nginx", "parley.conf");

const TRIES = 5;

export type NginxSettings = {
  executable: string;
  /** Addresses of the processes, `host:port`. */
  backEnds: readonly string[];
};

/** nginx with the example's settings, but with other ports and processes and without TLS. */
export class Nginx implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  static async start({ executable, backEnds }: NginxSettings): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), "parley-nginx-"));
    for (let tries = 1; ; tries++) {
      const port = await freePort("127.0.0.1");
      await writeFile(join(folder, "parley.conf"), withoutTls(await readExample(folder), port, backEnds));
      await writeFile(join(folder, "nginx.conf"), mainSettings(folder));
      const child = spawn(executable, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
      if (await listens(child, port)) return new Nginx(`http://127.0.0.1:${port}`, child, folder);
      const log = await readFile(join(folder, "error.log"), "utf8").catch(() => "");
      if (tries === TRIES || !log.includes("Address already in use")) throw new Error(`nginx does not start: ${log}`);
    }
  }

  /** Returns nginx's access and error logs so far. */
  async logged(): Promise<string> {
    const files = (await readdir(this.#folder)).filter((name) => name.endsWith(".log")).sort();
    return (await Promise.all(files.map((name) => readFile(join(this.#folder, name), "utf8")))).join("");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) {
      const closed = once(this.#child, "close");
      this.#child.kill("SIGTERM");
      await closed;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Checks the unchanged example with `nginx -t`, with a self-signed certificate and without root.
 * @throws Error with nginx's output
 */
export async function checkExample(executable: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-nginx-"));
  try {
    const subject = ["-subj", "/CN=chat.example.org", "-nodes", "-days", "1"];
    const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...subject, ...files], { stdio: "pipe" });
    const given = (await readExample(folder)).replaceAll("/etc/ssl/chat.example.org", folder);
    await writeFile(join(folder, "parley.conf"), onSockets(given, folder));
    await writeFile(join(folder, "nginx.conf"), mainSettings(folder));
    const { user } = unprivilegedOwner([folder, join(folder, "privkey.pem")]);
    const asked = ["-t", "-p", folder, "-c", join(folder, "nginx.conf")];
    execFileSync(executable, asked, { stdio: "pipe", ...user });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a free port of a local address. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Replaces listening ports by Unix sockets: nginx also binds when it checks, and ports may be privileged or in use. */
function onSockets(given: string, folder: string): string {
  let count = 0;
  return given.replaceAll(/\blisten [^\s;]+/g, () => `listen unix:${join(folder, String(++count))}`);
}

/** Reads the example, with its logs moved to a folder. */
async function readExample(folder: string): Promise<string> {
  return (await readFile(example, "utf8")).replaceAll("/var/log/nginx", folder);
}

function withoutTls(given: string, port: number, backEnds: readonly string[]): string {
  const [, options = ""] = /server 127\.0\.0\.1:3001([^;]*);/.exec(given) ?? [];
  const servers = backEnds.map((address) => `    server ${address}${options};\n`).join("");
  return given
    .replace(/server \{\s+listen 80;[^}]*\}/, "")
    .replace(/(?: *server 127\.0\.0\.1:300\d [^\n]*\n)+/, servers)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/ *ssl_certificate(?:_key)? [^\n]*\n/g, "");
}

/** Main configuration around the example, which keeps all files in one temporary folder. */
function mainSettings(folder: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "scgi", "uwsgi"];
  return `
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    worker_processes 2;
    pid ${join(folder, "nginx.pid")};
    error_log ${join(folder, "error.log")} warn;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join("\n")}
      include ${join(folder, "parley.conf")};
    }`;
}

/** Waits until the process listens. @returns false if it ended instead */
async function listens(child: ChildProcess, port: number): Promise<boolean> {
  const outcome = await waitFor("nginx to listen", async () => {
    if (child.exitCode !== null || child.signalCode !== null) return "ended";
    return (await accepts(port)) ? "listening" : undefined;
  });
  return outcome === "listening";
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  });
  socket.destroy();
  return isConnected;
}
