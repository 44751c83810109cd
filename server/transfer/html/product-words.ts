import type { AlertKind } from "#contract/text/alerts.ts";

/** Titles of alerts in files. */
export const alertTitles: Record<AlertKind, string> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};

/** Without a script there is nothing that could draw a diagram. */
export const DIAGRAM_CAPTION = "Diagram (Mermaid source)";

/** Summary of a disclosure that has none. */
export const DISCLOSURE_SUMMARY = "Details";
