import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

/**
 * Folders of pdf.js with files that some PDFs need: character maps, fonts that are not embedded, and decoders of
 * pictures in JavaScript. Their WebAssembly is left out: the Content Security Policy forbids it.
 */
const folders = ["cmaps", "standard_fonts", "wasm"];
const isNeeded = (name: string) => !/\.wasm$|^quickjs|QUICKJS|QCMS/.test(name);

/**
 * Copies files of pdf.js with their licences into the build, where the worker loads one when a PDF needs it
 * (`web/files/view/pdf-worker.ts`). pdf.js asks for them by name, so the folder has the version instead of a hash.
 * @param pdfjs path of the package
 */
export function pdfFiles(pdfjs: string): Plugin {
  const folder = async () => {
    const { version }: { version: string } = JSON.parse(await readFile(join(pdfjs, "package.json"), "utf8"));
    return `assets/pdfjs-${version}`;
  };
  return {
    name: "parley:pdf-files",
    async generateBundle() {
      const target = await folder();
      for (const from of folders) {
        for (const name of (await readdir(join(pdfjs, from))).filter(isNeeded)) {
          const source = await readFile(join(pdfjs, from, name));
          this.emitFile({ type: "asset", fileName: `${target}/${from}/${name}`, source });
        }
      }
      const source = await readFile(join(pdfjs, "LICENSE"));
      this.emitFile({ type: "asset", fileName: `${target}/LICENSE`, source });
    },
    async configureServer(server) {
      const target = await folder();
      for (const from of folders) {
        server.middlewares.use(`/${target}/${from}/`, (request, response) => {
          const name = basename(request.url ?? "");
          if (name.endsWith(".js")) response.setHeader("content-type", "text/javascript");
          createReadStream(join(pdfjs, from, name))
            .on("error", () => response.writeHead(404).end())
            .pipe(response);
        });
      }
    },
  };
}
