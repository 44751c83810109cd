import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "Numéros de ligne",
  formula: "Formule",
  diagram: {
    view: "Afficher le diagramme",
    source: "Afficher la source",
    copy: "Copier la source",
    enlarge: "Agrandir",
    failed: "Ce diagramme n’a pas pu être dessiné. Voici sa source.",
    notShown: "Ce diagramme n’a pas pu être dessiné.",
    long: "Ce diagramme est trop grand pour être dessiné. Voici sa source.",
    again: "Réessayer",
    kinds: {
      architecture: "Diagramme d’architecture",
      block: "Diagramme de blocs",
      c4: "Diagramme C4",
      class: "Diagramme de classes",
      er: "Diagramme entité-association",
      flowchart: "Organigramme",
      gantt: "Diagramme de Gantt",
      gitGraph: "Graphe Git",
      journey: "Parcours utilisateur",
      kanban: "Tableau kanban",
      mindmap: "Carte mentale",
      other: "Diagramme",
      pie: "Diagramme circulaire",
      quadrantChart: "Diagramme en quadrants",
      requirement: "Diagramme d’exigences",
      sankey: "Diagramme de Sankey",
      sequence: "Diagramme de séquence",
      state: "Diagramme d’états",
      timeline: "Chronologie",
      xychart: "Graphique",
    },
  },
};
