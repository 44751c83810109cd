import { useTranslation } from "react-i18next";
import type { Drawn } from "../../sandbox/diagram-messages.ts";

const KINDS = [
  ...["architecture", "block", "c4", "class", "er", "flowchart", "gantt", "gitGraph", "journey", "kanban"],
  ...["mindmap", "pie", "quadrantChart", "requirement", "sankey", "sequence", "state", "timeline", "xychart"],
] as const;

/** `kind`: name of the kind of diagram; `whole`: with its title and description. */
export type DiagramName = { kind: string; whole: string };

export function useDiagramName(drawn: Drawn | undefined): DiagramName {
  const { t } = useTranslation("replies");
  const kind = KINDS.find((known) => drawn?.kind.startsWith(known)) ?? "other";
  const name = t(`diagram.kinds.${kind}`);
  const whole = [name, drawn?.title, drawn?.description].filter((part) => part !== undefined && part !== "");
  return { kind: name, whole: whole.join(". ") };
}
