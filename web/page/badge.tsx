import type { ReactNode } from "react";
import { cx } from "../ui/components/cx.ts";

const tones = {
  plain: "bg-sunken text-muted",
  accent: "bg-accent-soft text-accent",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
};

/** Word of a role or state, set apart from the text beside it. */
export function Badge({ tone = "plain", children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return <span className={cx("whitespace-nowrap rounded-full px-2 py-0.5 text-xs", tones[tone])}>{children}</span>;
}
