import { lazyModule } from "../../ui/lazy/lazy-module.ts";

/** Files of drafts. Loaded with the first file that is chosen, restored or edited. */
export const filesModule = lazyModule(() => import("./session-files.ts"));
