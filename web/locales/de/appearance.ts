import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "Was du hier wählst, gilt in diesem Browser, für alle, die ihn benutzen.",
  theme: {
    title: "Farben",
    legend: "Hell oder dunkel",
    system: "System",
    light: "Hell",
    dark: "Dunkel",
  },
  contrast: "Hoher Kontrast",
  contrastText: "Kräftigere Schrift und Umrisse. Aus heißt: wie in deinem System.",
  motion: "Weniger Bewegung",
  motionText: "Nichts gleitet oder blendet über. Aus heißt: wie in deinem System.",
  reading: {
    title: "Lesen",
    preview: "Vorschau",
    question: "Warum ist der Himmel blau?",
    answer: "Luft streut blaues Licht stärker als rotes, deshalb erreicht dich Blau von überall her.",
    aside: "Am Abend ist der Weg durch die Luft länger, und übrig bleibt Rot.",
    typeface: "Schriftart der Antworten",
    sans: "Inter",
    serif: "Source Serif",
    size: "Schriftgröße",
    small: "Klein",
    medium: "Mittel",
    large: "Groß",
    larger: "Größer",
    wrap: "Lange Codezeilen umbrechen",
    wrapText: "Jedes Stück Code lässt sich trotzdem einzeln umschalten.",
  },
  writing: {
    title: "Schreiben",
    legend: "Taste zum Senden",
    enter: "Enter sendet",
    enterText: "Shift+Enter beginnt eine neue Zeile.",
    combined: "{{keys}} sendet",
    combinedText: "Enter beginnt eine neue Zeile.",
  },
  reset: {
    title: "Alles wie am Anfang",
    text: "Alles auf dieser Seite außer der Sprache.",
    button: "Darstellung zurücksetzen",
    done: "Die Darstellung wurde zurückgesetzt.",
    undo: "Rückgängig",
  },
};
