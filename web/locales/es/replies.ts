import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "Números de línea",
  formula: "Fórmula",
  diagram: {
    view: "Mostrar diagrama",
    source: "Mostrar código",
    copy: "Copiar código",
    enlarge: "Ampliar",
    failed: "No se pudo dibujar este diagrama. Aquí está su código.",
    notShown: "No se pudo dibujar este diagrama.",
    long: "Este diagrama es demasiado grande para dibujarlo. Aquí está su código.",
    again: "Intentar de nuevo",
    kinds: {
      architecture: "Diagrama de arquitectura",
      block: "Diagrama de bloques",
      c4: "Diagrama C4",
      class: "Diagrama de clases",
      er: "Diagrama entidad-relación",
      flowchart: "Diagrama de flujo",
      gantt: "Diagrama de Gantt",
      gitGraph: "Grafo de Git",
      journey: "Recorrido del usuario",
      kanban: "Tablero kanban",
      mindmap: "Mapa mental",
      other: "Diagrama",
      pie: "Gráfico circular",
      quadrantChart: "Gráfico de cuadrantes",
      requirement: "Diagrama de requisitos",
      sankey: "Diagrama de Sankey",
      sequence: "Diagrama de secuencia",
      state: "Diagrama de estados",
      timeline: "Línea de tiempo",
      xychart: "Gráfico",
    },
  },
};
