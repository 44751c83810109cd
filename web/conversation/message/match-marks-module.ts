import { lazyModule } from "../../ui/lazy/lazy-module.ts";

/** Loaded with the first search hit that is opened. */
export const matchMarksModule = lazyModule(() => import("./match-marks.ts"));
