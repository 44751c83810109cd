import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "Zeilennummern",
  formula: "Formel",
  diagram: {
    view: "Diagramm anzeigen",
    source: "Quelltext anzeigen",
    copy: "Quelltext kopieren",
    enlarge: "Vergrößern",
    failed: "Dieses Diagramm konnte nicht gezeichnet werden. Hier ist sein Quelltext.",
    notShown: "Dieses Diagramm konnte nicht gezeichnet werden.",
    long: "Dieses Diagramm ist zu groß zum Zeichnen. Hier ist sein Quelltext.",
    again: "Erneut versuchen",
    kinds: {
      architecture: "Architekturdiagramm",
      block: "Blockdiagramm",
      c4: "C4-Diagramm",
      class: "Klassendiagramm",
      er: "Entity-Relationship-Diagramm",
      flowchart: "Flussdiagramm",
      gantt: "Gantt-Diagramm",
      gitGraph: "Git-Graph",
      journey: "User Journey",
      kanban: "Kanban-Board",
      mindmap: "Mindmap",
      other: "Diagramm",
      pie: "Kreisdiagramm",
      quadrantChart: "Quadrantendiagramm",
      requirement: "Anforderungsdiagramm",
      sankey: "Sankey-Diagramm",
      sequence: "Sequenzdiagramm",
      state: "Zustandsdiagramm",
      timeline: "Zeitleiste",
      xychart: "Datendiagramm",
    },
  },
};
