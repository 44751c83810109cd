import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "O que você escolhe aqui vale neste navegador, para quem quer que o use.",
  theme: {
    title: "Tema",
    legend: "Claro ou escuro",
    system: "Sistema",
    light: "Claro",
    dark: "Escuro",
  },
  contrast: "Alto contraste",
  contrastText: "Texto e contornos mais fortes. Desativado: como no seu sistema.",
  motion: "Menos movimento",
  motionText: "Nada desliza nem esmaece. Desativado: como no seu sistema.",
  reading: {
    title: "Leitura",
    preview: "Prévia",
    question: "Por que o céu é azul?",
    answer: "O ar espalha a luz azul mais do que a vermelha, por isso o azul chega até você de todos os lados.",
    aside: "À tarde, o caminho pelo ar é mais longo, e o que sobra é o vermelho.",
    typeface: "Fonte das respostas",
    sans: "Inter",
    serif: "Source Serif",
    size: "Tamanho do texto",
    small: "Pequeno",
    medium: "Médio",
    large: "Grande",
    larger: "Maior",
    wrap: "Quebrar linhas longas de código",
    wrapText: "Cada bloco de código ainda pode ser alterado por si.",
  },
  writing: {
    title: "Escrita",
    legend: "A tecla que envia",
    enter: "Enter envia",
    enterText: "Shift+Enter começa uma nova linha.",
    combined: "{{keys}} envia",
    combinedText: "Enter começa uma nova linha.",
  },
  reset: {
    title: "Tudo como no início",
    text: "Tudo nesta página, menos o idioma.",
    button: "Redefinir aparência",
    done: "A aparência foi redefinida.",
    undo: "Desfazer",
  },
};
