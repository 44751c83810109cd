import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "Números de linha",
  formula: "Fórmula",
  diagram: {
    view: "Mostrar diagrama",
    source: "Mostrar código",
    copy: "Copiar código",
    enlarge: "Ampliar",
    failed: "Não foi possível desenhar este diagrama. Aqui está o código dele.",
    notShown: "Não foi possível desenhar este diagrama.",
    long: "Este diagrama é grande demais para ser desenhado. Aqui está o código dele.",
    again: "Tentar de novo",
    kinds: {
      architecture: "Diagrama de arquitetura",
      block: "Diagrama de blocos",
      c4: "Diagrama C4",
      class: "Diagrama de classes",
      er: "Diagrama entidade-relacionamento",
      flowchart: "Fluxograma",
      gantt: "Gráfico de Gantt",
      gitGraph: "Grafo do Git",
      journey: "Jornada do usuário",
      kanban: "Quadro kanban",
      mindmap: "Mapa mental",
      other: "Diagrama",
      pie: "Gráfico de pizza",
      quadrantChart: "Gráfico de quadrantes",
      requirement: "Diagrama de requisitos",
      sankey: "Diagrama de Sankey",
      sequence: "Diagrama de sequência",
      state: "Diagrama de estados",
      timeline: "Linha do tempo",
      xychart: "Gráfico",
    },
  },
};
