import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "Preise in US-Dollar für eine Million Tokens, soweit dieser Server sie kennt.",
  demo: "Auf diesem Server ist kein Anbieter eingerichtet. Es antwortet die eingebaute Demo, gleich welches Modell gewählt ist.",
  chosen: {
    title: "Modell für neue Chats",
    text: "Es antwortet, wenn kein Preset ein anderes mitbringt. Wenn du in einem Chat eines wählst, ändert es sich auch hier.",
    auto: "Automatisch",
    unavailable: "{{name}} (nicht eingerichtet)",
  },
  unavailable: "Nicht eingerichtet",
  context: "{{tokens}} Tokens Kontext",
  price: "{{input}} Eingabe, {{output}} Ausgabe",
  menus: "In Menüs",
  inMenu: "{{name}} in Menüs zeigen",
  always: "Das Modell für neue Chats ist immer dabei.",
};
