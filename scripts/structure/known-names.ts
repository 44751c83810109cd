import type { KnownNames } from "./names.ts";

/** Names that break the rules of names.ts today. The lists may only become shorter. */
export const knownNames: KnownNames = {
  exports: {
    server: [],
    web: [],
  },
  files: {
    server: [],
    web: [],
  },
};
