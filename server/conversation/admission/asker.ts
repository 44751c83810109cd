import type { Identity } from "../../http/session-hook.ts";

/** An account that asks for a reply, and its group, which decides on the models. */
export type Asker = Pick<Identity, "userId" | "groupId">;
