// Some modules answer a question that has one answer in the whole code base. Their importers are listed here, so that a
// second answer cannot appear unnoticed.
import type { Import, SourceFile } from "./source-files.ts";

export const restricted: Readonly<Record<string, { importers: readonly string[]; instead: string }>> = {
  "server/config/loopback.ts": {
    importers: [
      "server/config/accounts/ldap-variables.ts",
      "server/config/config.ts",
      "server/config/files-url.ts",
      "server/config/warnings.ts",
      "server/http/anti-forgery.ts",
      "server/http/local-request.ts",
      "server/models/connections/refusal-of.ts",
      "server/administration/identity-providers/check-identity-provider.ts",
      "server/tools/web-search/check-engine.ts",
      "server/mcp/administration/check-server.ts",
      "server/outbound/proxy-for.ts",
    ],
    instead:
      "Whether others reach the server is `isReachable` of the configuration, whether they sent a request is `isLocal` of its client",
  },
  "server/concurrency/internal-flow.ts": {
    importers: [
      "server/files/documents/read-document.ts",
      "server/files/stores/folder-store.ts",
      "server/files/stores/s3/s3-store.ts",
      "server/conversation/reply/steps/reply-tools.ts",
    ],
    instead:
      "The flow of a client's work is made by flowOf of server/limits/flow-of.ts, else one account or network can take every slot",
  },
  zod: {
    importers: [],
    instead: "Import zod/mini: zod weighs more, and changes the messages of all schemas of the process",
  },
};

/** Returns the key of an import in the list: a path in the repository, or the name of a package. */
export const importedModule = ({ target, specifier }: Import) => target ?? specifier;

/** Returns a sentence for each import of a restricted module by a product file that is not listed. */
export function soleImporterProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, isTest, imports }) =>
    imports.flatMap((imported) => {
      const module = importedModule(imported);
      const rule = restricted[module];
      if (isTest || !rule || rule.importers.includes(path)) return [];
      return [`${path} imports ${module}. ${rule.instead}.`];
    }),
  );
}
