import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { ConfigError, type ParsedConfig, parseConfig } from "./config/config.ts";
import { readSecretFile } from "./config/secret-files.ts";
import type { Overrides } from "./process/context.ts";

/** Replacements for tests that run the server as a process of its own. */
export type ServerOverrides = Pick<Overrides, "toolGroups">;

const SECOND_SIGNAL_KILLS_AFTER_MS = 1000;
const CACHE_AFTER_MS = 500;
/**
 * Documented in docs/operation.md. The systemd unit restarts the server after `failed`, but not after `configuration`.
 */
const exitCodes = { failed: 1, configuration: 2 } as const;
/** Sentences for errors of listening. */
const refusals: Partial<Record<string, (at: { host: string; port: number }) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Another program is already listening on ${host}:${port}. Set PORT to another number.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Set PORT to 1024 or higher.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is not an address of this machine.`,
};
const shutdownSignals = ["SIGTERM", "SIGINT"] as const;

/**
 * Runs the server until a signal ends it: environment → configuration → context → application → listening. Sets the exit
 * code.
 */
export async function runServer(overrides: ServerOverrides = {}): Promise<void> {
  // Other users of the machine can read no file of the server, whatever the mode of the data folder.
  process.umask(0o077);
  try {
    await run(overrides);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof ConfigError ? exitCodes.configuration : exitCodes.failed;
  }
}

async function run(overrides: ServerOverrides): Promise<void> {
  const parsed = parseConfig(process.env, readSecretFile);
  try {
    await serve(parsed, overrides);
  } catch (error) {
    const { folderFaultOf } = await import("./config/folder-fault.ts");
    throw (await folderFaultOf(error, parsed.config.dataDir)) ?? error;
  }
}

async function serve({ config, secrets, warnings }: ParsedConfig, overrides: ServerOverrides): Promise<void> {
  const [{ takeDataFolder }, { refuseUnusableFolder }] = await Promise.all([
    import("./config/data-folder.ts"),
    import("./config/folder-fault.ts"),
  ]);
  using _lock = await takeDataFolder(config.dataDir);
  await refuseUnusableFolder(config.dataDir, [
    ...(secrets.databaseUrl ? [] : ["files"]),
    ...(config.hasMailServer ? [] : ["mails"]),
  ]);
  // Enabled before the rest is loaded, so that the next start need not compile it.
  enableCompileCache(join(resolve(config.dataDir), "compile-cache"));
  const [{ openContext, openLog, missingMailServer, missingModel, missingOwner }, { buildApp }] = await Promise.all([
    import("./process/context.ts"),
    import("./process/app.ts"),
  ]);

  const isReadable = config.logFormat === "text" || (config.logFormat === "auto" && process.stdout.isTTY);
  // Unlike stdout itself, the console ignores errors of a terminal that was closed.
  const log = openLog(config, isReadable ? (line) => console.log(line) : undefined);
  await using context = await openContext(config, secrets, {
    log,
    acceptsNewSecret: process.argv.includes("--accept-new-secret"),
    print: printApart,
    ...overrides,
  });
  for (const warning of warnings) log.warn(warning);
  const app = await buildApp(context, { webFolder: webFolder(), requestLevel: isReadable ? "debug" : "info" });
  const shutdown = Promise.withResolvers<string>();
  let firstSignalAt: number | undefined;
  for (const signal of shutdownSignals) {
    process.on(signal, () => {
      firstSignalAt ??= performance.now();
      // Under npm, a Ctrl-C sends two signals at once; a later signal is a second Ctrl-C.
      if (performance.now() - firstSignalAt > SECOND_SIGNAL_KILLS_AFTER_MS) process.exit(exitCodes.failed);
      shutdown.resolve(signal);
    });
  }

  const address = await listen(app, config);
  const running = `${context.installation.current.productName} is running on ${address}`;
  const owner = await missingOwner(config, context.database, context.secretKey);
  printApart([running, missingModel(context), missingMailServer(config)].filter(Boolean).join("\n"));
  if (owner !== null) printApart(owner);

  // Otherwise the cache is written only at a clean exit, and a start after a kill has to compile everything again.
  setTimeout(flushCompileCache, CACHE_AFTER_MS).unref();
  context.log.info({ signal: await shutdown.promise }, "shutting down");
  await Promise.all([context.replies.drain(), context.temporaryReplies.drain()]);
  await app.close();
}

/** Prints a paragraph between blank lines, so that it is found among the lines of the log. */
function printApart(paragraph: string): void {
  console.log(`\n${paragraph}\n`);
}

async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    return await app.listen({ port, host, listenTextResolver: () => "listening" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new Error(refusals[code]?.({ host, port }) ?? `The server cannot listen on ${host}:${port} (${code})`);
  }
}

/**
 * Returns the folder of the built web app: beside the bundled server, or in `build/` if the server runs from source.
 */
function webFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return (
    [join(here, "../web"), join(here, "../build/web")].find((folder) => existsSync(join(folder, "index.html"))) ?? ""
  );
}
