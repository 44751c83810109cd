import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "Neu generieren",
  otherModel: "Mit anderem Modell neu generieren",
  edit: "Bearbeiten",
  editing: {
    label: "Nachricht bearbeiten",
    hint: "Mit dem Senden beginnt eine neue Version. Das bisher Gesagte bleibt.",
    send: "Senden",
  },
  versions: "Versionen",
  version: "Version {{n}} von {{count}}",
  previous: "Vorherige Version",
  next: "Nächste Version",
  quote: "Zitieren",
  failure: "Diese Version konnte nicht angezeigt werden. Bitte versuche es noch einmal.",
};
