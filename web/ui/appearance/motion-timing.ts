/** Timing of an animation by script: the duration in ms is that of `--motion`, 0 with reduced motion. */
export function motionTiming(): { duration: number; easing: string } {
  const motion = getComputedStyle(document.documentElement).getPropertyValue("--motion");
  const duration = Number.parseFloat(motion) * (motion.trim().endsWith("ms") ? 1 : 1000) || 0;
  return { duration, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };
}
