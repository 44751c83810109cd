import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "Prix en dollars américains pour un million de tokens, tels que ce serveur les connaît.",
  demo: "Aucun fournisseur n’est configuré sur ce serveur. La démo intégrée répond, quel que soit le modèle choisi.",
  chosen: {
    title: "Modèle des nouvelles discussions",
    text: "Il répond, sauf si un préréglage en apporte un autre. En choisir un dans une discussion le change aussi ici.",
    auto: "Automatique",
    unavailable: "{{name}} (non configuré)",
  },
  unavailable: "Non configuré",
  context: "{{tokens}} tokens de contexte",
  price: "{{input}} en entrée, {{output}} en sortie",
  menus: "Dans les menus",
  inMenu: "Afficher {{name}} dans les menus",
  always: "Le modèle des nouvelles discussions y figure toujours.",
};
