import type { access as english } from "../en/access.ts";
import type { Translated } from "../translated.ts";

export const access: Translated<typeof english> = {
  title: "Accesibilidad",
  promise:
    "{{product}} está hecho para que todo el mundo pueda usarlo: con ratón, con el dedo, solo con el teclado, con un lector de pantalla, ampliado, con alto contraste. Está diseñado para cumplir las Web Content Accessibility Guidelines 2.2 en el nivel AA.",
  does: {
    title: "Con qué puedes contar",
    keyboard:
      "Todo se puede hacer con el teclado, y se ve qué tiene el foco. La tecla ? muestra todos los atajos, y F6 lleva a una notificación y de vuelta.",
    spoken: "Un lector de pantalla recibe cada frase de una respuesta según llega, sin interrupciones.",
    seen: "El texto tiene un contraste de al menos 7 a 1, y las notas junto a él, de al menos 4,5 a 1. En Ajustes hay un aspecto de alto contraste, en el que es de 7 a 1 en ambos, texto más grande para las respuestas y un aspecto con menos movimiento; las preferencias de tu sistema se siguen por sí solas.",
    zoom: "Al 200 % y en una pantalla de 320 px nada queda cortado, y solo las tablas y el código se leen desplazándose de lado.",
    touch: "Lo que un dedo debe tocar mide al menos 44 px de ancho y de alto.",
    languages: "La página habla ocho idiomas, uno de ellos de derecha a izquierda.",
  },
  tested: {
    title: "Cómo se comprueba",
    text: "Con cada cambio, pruebas automáticas examinan con axe todas las páginas en sus distintos estados, en el aspecto claro y en el oscuro, y recorren las tareas principales solo con el teclado, en una pantalla de teléfono, al 200 % y a 320 px, y con más espacio entre letras, palabras y líneas. Los contrastes se calculan a partir de los propios colores.",
  },
  limits: {
    title: "Qué no funciona bien todavía",
    answers: "Lo que escribe el asistente es cosa suya: sus tablas, títulos y fórmulas pueden estar mal formados.",
    diagrams: "Los diagramas de las respuestas son imágenes; en su lugar se puede mostrar su código como texto.",
    google: "El botón «Iniciar sesión con Google» viene de Google. Para entrar con contraseña no hace falta.",
    screenReaders: "Hasta ahora no se ha probado con personas que usan lectores de pantalla todos los días.",
  },
  contact: {
    title: "¿Algo te lo pone difícil?",
    text: "Avisa a quien administra este servidor; podrá pasarlo a quienes lo desarrollan. Lo que más ayuda es describir qué intentaste, con qué navegador y con qué ayuda técnica.",
  },
  reviewed: "Última revisión: {{date}}.",
  back: "Volver",
};
