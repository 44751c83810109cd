import { lazyModule } from "../ui/lazy/lazy-module.ts";

/** Lazy organiser of the chats, loaded after the screen: few people need it at once, and only with a list of chats. */
export const organiserModule = lazyModule(() => import("./organise/lazy-organiser.ts"), "after-chat");
