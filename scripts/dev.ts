// `npm run dev`: runs the server from source, restarted on each change, behind Vite's server with hot module
// replacement. Both have one address, so that cookies and origins are the same as in production.
import { spawn } from "node:child_process";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { createServer, defaultAllowedOrigins } from "vite";
import { cleanEnv, root } from "./child.mjs";

const port = Number(process.env.PORT ?? 3000);
const serverPort = await freePort();
const target = `http://127.0.0.1:${serverPort}`;
const proxy = Object.fromEntries(["/api", "/healthz", "/readyz"].map((path) => [path, { target }]));
// The frame of a diagram has an opaque origin.
const cors = { origin: [defaultAllowedOrigins, "null"] };

const vite = await createServer({
  configFile: `${root}/vite.config.ts`,
  logLevel: "warn",
  clearScreen: false,
  server: { host: process.env.HOST ?? "127.0.0.1", port, strictPort: port !== 0, proxy, cors },
});
await vite.listen();
const address = `http://127.0.0.1:${portOf(vite.httpServer?.address())}`;

const env = { PUBLIC_URL: address, ...cleanEnv(), HOST: "127.0.0.1", PORT: String(serverPort) };
const server = spawn(process.execPath, ["--watch", "--watch-preserve-output", "server/main.ts"], {
  cwd: root,
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
let hasTold = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, (received) => void end(received));
server.on("exit", (code) => void end(undefined, code ?? 1));

for await (const line of createInterface({ input: server.stdout })) {
  // Only Vite's address is printed, not that of the server behind it.
  if (!line.includes(target)) process.stdout.write(`${line}\n`);
  else if (!hasTold) {
    process.stdout.write(`Open ${address} (both sides reload on change, Ctrl-C ends)\n`);
    hasTold = true;
  }
}

async function end(_signal?: NodeJS.Signals, code = 0): Promise<void> {
  server.removeAllListeners("exit");
  if (server.exitCode === null && server.kill("SIGTERM")) {
    await once(server, "exit");
  }
  await vite.close();
  process.exit(code);
}

function portOf(address: AddressInfo | string | null | undefined): number {
  if (typeof address !== "object" || address === null) throw new Error("The development server has no port.");
  return address.port;
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const free = portOf(probe.address());
  probe.close();
  return free;
}
