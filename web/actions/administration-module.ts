import { hasRole } from "#contract/accounts/roles.ts";
import { currentSession } from "../accounts/session/session.ts";
import { lazyModule } from "../ui/lazy/lazy-module.ts";

/** Pages of the administration, with their names: loaded with the palette, for those who may open them. */
export const administrationModule = lazyModule(() => import("./administration-choices.ts"));

/** Whether the signed-in account may open pages of the administration. */
export const mayAdminister = (): boolean => hasRole(currentSession().user?.role ?? "person", "manager");
