import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "Temporärer Chat",
  notice: "Dieser Chat wird nicht gespeichert. Er ist weg, wenn du ihn verlässt oder neu lädst.",
  notSaved: "Nicht gespeichert: weg beim Verlassen oder Neuladen.",
  keep: "Diesen Chat behalten",
  keeping: "Wird gespeichert …",
  beginAnew: "Neuer temporärer Chat",
  kept: "Dieser Chat ist jetzt gespeichert.",
  undo: "Rückgängig",
  discarded: "Der temporäre Chat ist verworfen.",
  left: "Du hast den temporären Chat verlassen. Er ist weg, wenn du diese Seite schließt oder neu lädst.",
  lost: "Die Verbindung ging verloren. Eine temporäre Antwort lässt sich nicht wieder aufnehmen. Was schon da war, steht noch hier.",
  failure:
    "Dieser Chat konnte nicht gespeichert werden. Hier ist nichts davon verloren. Versuche es gleich noch einmal.",
};
