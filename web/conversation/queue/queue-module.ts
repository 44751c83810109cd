import { lazyModule } from "../../ui/lazy/lazy-module.ts";

/** Until it is loaded, a message cannot be submitted while an answer is being written. */
export const queueModule = lazyModule(() => import("./queued-messages.tsx"), "behind-chat");
