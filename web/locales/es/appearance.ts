import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "Lo que eliges aquí vale en este navegador, para cualquiera que lo use.",
  theme: {
    title: "Tema",
    legend: "Claro u oscuro",
    system: "Sistema",
    light: "Claro",
    dark: "Oscuro",
  },
  contrast: "Alto contraste",
  contrastText: "Texto y contornos más marcados. Desactivado: como en tu sistema.",
  motion: "Menos movimiento",
  motionText: "Nada se desliza ni se desvanece. Desactivado: como en tu sistema.",
  reading: {
    title: "Lectura",
    preview: "Vista previa",
    question: "¿Por qué el cielo es azul?",
    answer: "El aire dispersa la luz azul más que la roja, así que el azul te llega desde todas partes.",
    aside: "Al atardecer el camino por el aire es más largo, y lo que queda es el rojo.",
    typeface: "Letra de las respuestas",
    sans: "Inter",
    serif: "Source Serif",
    size: "Tamaño del texto",
    small: "Pequeño",
    medium: "Mediano",
    large: "Grande",
    larger: "Más grande",
    wrap: "Ajustar las líneas largas de código",
    wrapText: "Cada bloque de código se puede cambiar por separado.",
  },
  writing: {
    title: "Escritura",
    legend: "La tecla que envía",
    enter: "Enter envía",
    enterText: "Shift+Enter empieza una nueva línea.",
    combined: "{{keys}} envía",
    combinedText: "Enter empieza una nueva línea.",
  },
  reset: {
    title: "Todo como al principio",
    text: "Todo lo de esta página, menos el idioma.",
    button: "Restablecer apariencia",
    done: "La apariencia se restableció.",
    undo: "Deshacer",
  },
};
