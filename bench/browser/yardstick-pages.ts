import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";

export const yardsticks = ["Streamdown", "react-markdown", "marked"] as const;

/** Builds the yardsticks' page into a temporary folder, which is removed on disposal. */
export async function buildYardsticks(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "parley-yardsticks-"));
  await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL("yardsticks", import.meta.url)),
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false, chunkSizeWarningLimit: 10_000 },
  });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
