import type { usage as english } from "../en/usage.ts";
import type { Translated } from "../translated.ts";

export const usage: Translated<typeof english> = {
  title: "Verbrauch",
  months: "Monate",
  text: "Was Antworten, Titel und temporäre Chats bei den Modellen verbraucht haben, nach Kalendermonaten (UTC).",
  monthLabel_one: "{{month}}: {{count}} Aufruf, {{cost}}",
  monthLabel_other: "{{month}}: {{count}} Aufrufe, {{cost}}",
  model: "Modell",
  calls: "Aufrufe",
  input: "Eingabe-Tokens",
  output: "Ausgabe-Tokens",
  cost: "Kosten",
  total: "Gesamt",
  callCount_one: "{{count}} Aufruf",
  callCount_other: "{{count}} Aufrufe",
  empty: "In diesem Monat wurde nichts verbraucht.",
  emptyText: "Sobald dir ein Modell geantwortet hat, siehst du hier, was das verbraucht hat.",
  about: "≈ ist eine Schätzung: Der Anbieter des Modells hat nicht mitgeteilt, wie viele Tokens es waren.",
  unpriced: "– steht für Modelle, deren Preis dieser Server nicht kennt.",
  priced: "Kosten nach Listenpreisen, Stand {{date}}. Es gilt, was der Anbieter berechnet.",
  partly: "und Modelle ohne Preis",
  demo: "Demo-Assistent",

  ofAnswer: "Verbrauch dieser Antwort",
  time: "Zeit",
  none: "Was diese Antwort verbraucht hat, ist nicht bekannt.",
  failed: "Das konnte nicht geladen werden.",
  loading: "Wird geladen …",
  seconds: "{{seconds}} s",
};
