import { lazyModule } from "../../ui/lazy/lazy-module.ts";

export const webauthnModule = lazyModule(() => import("./webauthn.ts"));
