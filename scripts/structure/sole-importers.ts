// Some modules answer a question that has one answer in the whole code base. Their importers are listed here, so that a
// second answer cannot appear unnoticed.
import type { SourceFile } from "./source-files.ts";

export const restricted: Readonly<Record<string, { importers: readonly string[]; instead: string }>> = {
  "server/config/loopback.ts": {
    importers: [
      "server/config/config.ts",
      "server/config/files-url.ts",
      "server/http/anti-forgery.ts",
      "server/http/local-request.ts",
    ],
    instead:
      "Whether others reach the server is `isReachable` of the configuration, whether they sent a request is `isLocal` of its client",
  },
  "server/concurrency/internal-flow.ts": {
    importers: [
      "server/files/documents/read-document.ts",
      "server/files/stores/folder-store.ts",
      "server/files/stores/s3/s3-store.ts",
    ],
    instead:
      "The flow of a client's work is made by flowOf of server/limits/flow-of.ts, else one account or network can take every slot",
  },
};

/** Returns a sentence for each import of a restricted module by a product file that is not listed. */
export function soleImporterProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, isTest, imports }) =>
    imports.flatMap(({ target = "" }) => {
      const rule = restricted[target];
      if (isTest || !rule || rule.importers.includes(path)) return [];
      return [`${path} imports ${target}. ${rule.instead}.`];
    }),
  );
}
