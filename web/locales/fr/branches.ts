import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "Régénérer",
  otherModel: "Régénérer avec un autre modèle",
  edit: "Modifier",
  editing: {
    label: "Modifier le message",
    hint: "L’envoi ouvre une nouvelle version. Ce qui a été dit avant reste.",
    send: "Envoyer",
  },
  versions: "Versions",
  version: "Version {{n}} sur {{count}}",
  previous: "Version précédente",
  next: "Version suivante",
  quote: "Citer",
  failure: "Cette version n’a pas pu être affichée. Veuillez réessayer.",
};
