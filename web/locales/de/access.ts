import type { access as english } from "../en/access.ts";
import type { Translated } from "../translated.ts";

export const access: Translated<typeof english> = {
  title: "Barrierefreiheit",
  promise:
    "{{product}} ist so gemacht, dass alle es benutzen können: mit der Maus, durch Berühren, nur mit der Tastatur, mit einem Screenreader, vergrößert, mit hohem Kontrast. Es richtet sich nach den Web Content Accessibility Guidelines 2.2, Stufe AA.",
  does: {
    title: "Worauf du zählen kannst",
    keyboard:
      "Alles geht mit der Tastatur, und man sieht, was den Fokus hat. Die Taste ? zeigt alle Tastenkürzel, F6 führt zu einer Mitteilung und zurück.",
    spoken: "Ein Screenreader bekommt jeden Satz einer Antwort, sobald er da ist, ohne unterbrochen zu werden.",
    seen: "Text hat einen Kontrast von mindestens 7 zu 1, Anmerkungen daneben von mindestens 4,5 zu 1. In den Einstellungen gibt es eine Darstellung mit hohem Kontrast, in der beide 7 zu 1 haben, größere Schrift für Antworten und weniger Bewegung; den Wünschen deines Systems folgt die Seite von selbst.",
    zoom: "Bei 200 % und auf einem Bildschirm von 320 px ist nichts abgeschnitten, und nur Tabellen und Code müssen seitlich gescrollt werden.",
    touch: "Was ein Finger treffen soll, ist mindestens 44 px breit und hoch.",
    languages: "Die Seite spricht acht Sprachen, eine davon von rechts nach links.",
  },
  tested: {
    title: "Wie das geprüft wird",
    text: "Bei jeder Änderung sehen automatische Prüfungen mit axe jede Seite in ihren Zuständen an, hell und dunkel, und gehen die wichtigsten Aufgaben nur mit der Tastatur durch, auf einem Handybildschirm, bei 200 % und bei 320 px, auch mit mehr Abstand zwischen Buchstaben, Wörtern und Zeilen. Kontraste werden aus den Farben selbst berechnet.",
  },
  limits: {
    title: "Was noch nicht gut geht",
    answers:
      "Was der Assistent schreibt, bestimmt er selbst: Seine Tabellen, Überschriften und Formeln können fehlerhaft aufgebaut sein.",
    diagrams: "Diagramme in Antworten sind Bilder; statt ihrer lässt sich ihr Quelltext anzeigen.",
    google: "Der Button „Über Google anmelden“ kommt von Google. Mit einem Passwort geht es ohne ihn.",
    screenReaders: "Mit Menschen, die jeden Tag Screenreader benutzen, wurde bisher noch nicht getestet.",
  },
  contact: {
    title: "Steht dir etwas im Weg?",
    text: "Bitte sag es denen, die diesen Server betreiben; sie können es an die weitergeben, die ihn entwickeln. Am meisten hilft eine Beschreibung, was du versucht hast, mit welchem Browser und welchem Hilfsmittel.",
  },
  reviewed: "Zuletzt geprüft am {{date}}.",
  back: "Zurück",
};
