import { lazyModule } from "../ui/lazy/lazy-module.ts";

/** What brings order into the chats is loaded behind the screen: few need it at once, and nobody before there is a list. */
export const organiserModule = lazyModule(() => import("./organise/lazy-organiser.ts"), "behind-chat");
