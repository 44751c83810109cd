import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { sharedCompileCache } from "../scripts/child.mjs";
import { newPerson } from "../testing/accounts/sign-up.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const entry = fileURLToPath(new URL("entry.ts", import.meta.url));
const adminMain = fileURLToPath(new URL("cli/main.ts", import.meta.url));
let dataDir: string;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-main-"));
});
afterEach(async () => {
  for (const child of running) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await rm(dataDir, { recursive: true });
});

/** `program`: command with arguments, started by a shell whose umask lets all users read written files. */
function start(env: Record<string, string> = {}, program: readonly string[] = [main]) {
  const child = spawn("/bin/sh", ["-c", 'umask 022; exec "$@"', "sh", process.execPath, ...program], {
    env: { PORT: "0", DATA_DIR: dataDir, ...sharedCompileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

async function addressOf(child: ReturnType<typeof start>): Promise<string> {
  for await (const line of createInterface(child.stdout)) {
    const [, address] = /^Parley is running on (http:\S+)$/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error(`The server did not start: ${await text(child.stderr)}`);
}

async function failureOf(child: ReturnType<typeof start>, wantedCode = 1): Promise<string> {
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(wantedCode);
  expect(said).not.toMatch(/^\s+at /m);
  return said;
}

it("the server prints its address, writes nothing to stderr, and exits cleanly on SIGTERM", async () => {
  const child = start();
  const complaints = text(child.stderr);
  const address = await addressOf(child);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await complaints).toBe("");
});

it("the start prints one sentence about mails if no mail server is set", async () => {
  const sentence = `No mail server is set: mails go to ${join(dataDir, "mails")}, and their links appear here; set SMTP_URL to send them.`;
  for (const [SMTP_URL, sentences] of [["", [sentence]] as const, ["smtp://127.0.0.1:1", []] as const]) {
    const child = start({ SMTP_URL });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await expect.poll(() => output).toContain("is running on");
    child.kill("SIGTERM");
    await once(child, "close");
    expect(output.split("\n").filter((line) => line.includes("mail"))).toEqual(sentences);
  }
});

it("the start prints one sentence about the demo assistant if no model is configured", async () => {
  const sentence =
    "No model is connected: the built-in demo assistant answers; connect one in the administration, or set OPENAI_API_KEY, ANTHROPIC_API_KEY or LOCAL_BASE_URL.";
  for (const [env, sentences] of [
    [{}, [sentence]],
    [{ OPENAI_API_KEY: "key" }, []],
    [{ LOCAL_BASE_URL: "http://127.0.0.1:1/v1" }, []],
  ] as const) {
    const child = start(env);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await expect.poll(() => output).toContain("is running on");
    child.kill("SIGTERM");
    await once(child, "close");
    expect(output.split("\n").filter((line) => line.includes("model"))).toEqual(sentences);
  }
});

const terminal = [
  "--import",
  `data:text/javascript,${encodeURIComponent("Object.defineProperty(process.stdout, 'isTTY', { value: true })")}`,
];

/** Registers an account on a server that has just started. @returns what the server has printed */
async function printedOfRegistration(child: ReturnType<typeof start>): Promise<string> {
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [, address] = await vi.waitFor(() => /is running on (http:\S+)/.exec(output) ?? Promise.reject());
  const { status } = await fetch(`${address}${API_BASE}${accountPaths.register}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(newPerson({ username: "ada", email: "ada@example.org" })),
  });
  expect(status).toBeLessThan(300);
  await vi.waitFor(() => expect(output).toContain("verify-email?key="));
  child.kill("SIGTERM");
  await once(child, "close");
  return stripVTControlCharacters(output);
}

it("a terminal shows readable lines without requests, and sets the link of the first owner apart", async () => {
  const output = await printedOfRegistration(start({}, [...terminal, main]));
  expect(output).toMatch(
    /\n\nVerify ada \(ada@example\.org\): http:\S+verify-email\?key=\S+\nThis account will be the owner of the server\.\n\n/,
  );
  expect(output).toMatch(/\n\nParley is running on http:\S+\nNo model is connected: .*\nNo mail server is set: .*\n\n/);
  expect(output).toMatch(/^\d\d:\d\d:\d\d info {2}shutting down signal=SIGTERM$/m);
  expect(output).not.toMatch(/[{}]|POST/);
});

it("LOG_FORMAT decides the form of the log, on a terminal too", async () => {
  const json = await printedOfRegistration(start({ LOG_FORMAT: "json" }, [...terminal, main]));
  expect(json).toMatch(/^\{"level":30,.*"method":"POST"/m);
  const text = await printedOfRegistration(
    start({ LOG_FORMAT: "text", LOG_LEVEL: "debug", DATA_DIR: join(dataDir, "2") }),
  );
  expect(text).toMatch(/^\d\d:\d\d:\d\d debug request method=POST path=\S+ status=20\d ms=[\d.]+$/m);
});

it("the entry of the bundle reports in one sentence that Node is too old, and loads nothing", async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const child = start({}, ["--import", `data:text/javascript,${encodeURIComponent(older)}`, entry]);
  expect(await failureOf(child, 2)).toBe("This server needs Node 24 or newer, and this is Node 20.20.2.\n");
  expect(await readdir(dataDir)).toEqual([]);
  expect(await addressOf(start({}, [entry]))).toContain("http://");
});

it("the two signals of a Ctrl-C under npm count as one", async () => {
  const child = start();
  await addressOf(child);
  child.kill("SIGINT");
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("E2 reports all invalid variables in one message, including a weak secret, and does not start", async () => {
  const wrong = { PORT: "x", SMTP_URL: "mail.example.org", LOG_LEVEL: "loud", SECRET_KEY: "weak-secret" };
  const said = await failureOf(start({ ...wrong, OPENAI_API_KEY_FILE: join(dataDir, "gone") }), 2);
  expect(said).toContain("  OPENAI_API_KEY_FILE names a file that cannot be read (ENOENT)");
  for (const name of Object.keys(wrong)) expect(said).toContain(`  ${name} must be`);
  expect(said).not.toContain(wrong.SECRET_KEY);
});

it("the start reports errors in the models file", async () => {
  const file = join(dataDir, "models.json");
  await writeFile(file, JSON.stringify({ groups: [{ label: "Mine", models: [{ label: "x", value: "NOPE:x" }] }] }));
  expect(await failureOf(start({ MODELS_FILE: file }), 2)).toContain(`MODELS_FILE ${file}`);
  expect(await failureOf(start({ MODELS_FILE: join(dataDir, "gone.json") }), 2)).toContain("cannot be read");
});

it("the start exits with the code for a retry if PostgreSQL is unavailable", async () => {
  // No server can listen on port 0.
  const said = await failureOf(start({ DATABASE_URL: "postgres://nobody@127.0.0.1:0/none" }));
  expect(said).not.toContain("configuration");
});

it("the start explains in a sentence why it cannot listen", async () => {
  const { port } = new URL(await addressOf(start()));
  const other = join(dataDir, "other");
  expect(await failureOf(start({ PORT: port, DATA_DIR: other }))).toBe(
    `Another program is already listening on 127.0.0.1:${port}. Set PORT to another number.\n`,
  );
  expect(await failureOf(start({ HOST: "192.0.2.1", DATA_DIR: other }))).toBe(
    "HOST 192.0.2.1 is not an address of this machine.\n",
  );
});

it("R17 refuses a data folder that another server uses, and uses it after that server was killed", async () => {
  const first = start();
  const address = await addressOf(first);
  expect(await failureOf(start())).toContain(`Another server is running on ${dataDir}`);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  first.kill("SIGKILL");
  await once(first, "exit");
  await addressOf(start());
});

async function readableByOthers(): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => ({ name, mode: (await stat(join(dataDir, name))).mode })));
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name);
}

describe("E2 data folder that all users can list", () => {
  beforeEach(() => chmod(dataDir, 0o755));

  it("other users cannot read the files of a server", async () => {
    const child = start({ NODE_COMPILE_CACHE: "" });
    await addressOf(child);
    for (const name of ["parley.db", "parley.db-wal", "lock", "secret-key", "process-id"]) {
      expect((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0);
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    const written = await readdir(dataDir, { recursive: true });
    expect(written.some((name) => name.startsWith("compile-cache/"))).toBe(true);
    expect(await readableByOthers()).toEqual([]);
  });

  it("other users cannot read the files of administration commands before the first start", async () => {
    const person = ["--username", "ada", "--email", "ada@example.org", "--firstname", "Ada", "--lastname", "Lovelace"];
    const child = start({}, [adminMain, "users", "create", "--init", ...person]);
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await readdir(dataDir)).toContain("parley.db");
    expect(await readableByOthers()).toEqual([]);
  });
});
