import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The process: environment → configuration → context → application → listening; signals. */

const IMPATIENT_AFTER_MS = 1000;
const CACHE_AFTER_MS = 500;
const shutdownSignals = ["SIGTERM", "SIGINT"] as const;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { parseConfig } = await import("./config.ts");
  const { config, secrets, warnings } = parseConfig(process.env);
  const { takeDataFolder } = await import("./data-folder.ts");
  using _lock = await takeDataFolder(config.dataDir);
  // Before the rest is loaded, so that a second start need not compile it again.
  enableCompileCache(join(resolve(config.dataDir), "compile-cache"));
  const [{ openContext }, { buildApp }] = await Promise.all([import("./context.ts"), import("./app.ts")]);

  await using context = await openContext(config, secrets, { print: (line) => console.log(line) });
  for (const warning of warnings) context.log.warn(warning);
  const app = await buildApp(context, { webFolder: webFolder() });
  const shutdown = Promise.withResolvers<string>();
  let firstSignalAt: number | undefined;
  for (const signal of shutdownSignals) {
    process.on(signal, () => {
      firstSignalAt ??= performance.now();
      // Under npm a Ctrl-C comes twice at once; one that comes later is meant.
      if (performance.now() - firstSignalAt > IMPATIENT_AFTER_MS) process.exit(1);
      shutdown.resolve(signal);
    });
  }

  const address = await app.listen({ port: config.port, host: config.host, listenTextResolver: () => "listening" });
  console.log(`${config.productName} is running on ${address}`);

  // Else it is written at an orderly end only, and a start after a kill has to compile everything again.
  setTimeout(flushCompileCache, CACHE_AFTER_MS).unref();
  context.log.info({ signal: await shutdown.promise }, "shutting down");
  await context.replies.drain();
  await app.close();
}

/** The built web part: beside the bundled server, or in `build/` when the server runs from source. */
function webFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return (
    [join(here, "../web"), join(here, "../build/web")].find((folder) => existsSync(join(folder, "index.html"))) ?? ""
  );
}
