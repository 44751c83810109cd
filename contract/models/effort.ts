import * as z from "zod/mini";

/** Efforts of a model's reasoning, ascending. A model has some of them; `off` is no reasoning. */
export const efforts = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export const effortSchema = z.enum(efforts);
export type Effort = z.infer<typeof effortSchema>;

/** Returns the effort that a model has and that is nearest to `wanted`; of two equally near ones the lower. */
export function nearestEffort(wanted: Effort, available: readonly Effort[]): Effort | undefined {
  const distance = (effort: Effort) => Math.abs(efforts.indexOf(effort) - efforts.indexOf(wanted));
  return available.toSorted((a, b) => distance(a) - distance(b) || efforts.indexOf(a) - efforts.indexOf(b))[0];
}
