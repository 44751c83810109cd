import type { usage as english } from "../en/usage.ts";
import type { Translated } from "../translated.ts";

export const usage: Translated<typeof english> = {
  title: "Consommation",
  months: "Mois",
  text: "Ce que les réponses, les titres et les discussions temporaires ont consommé auprès des modèles, par mois civil (UTC).",
  monthLabel_one: "{{month}} : {{count}} appel, {{cost}}",
  monthLabel_many: "{{month}} : {{count}} d’appels, {{cost}}",
  monthLabel_other: "{{month}} : {{count}} appels, {{cost}}",
  model: "Modèle",
  calls: "Appels",
  input: "Tokens en entrée",
  output: "Tokens en sortie",
  cost: "Coût",
  total: "Total",
  callCount_one: "{{count}} appel",
  callCount_many: "{{count}} d’appels",
  callCount_other: "{{count}} appels",
  empty: "Aucune consommation ce mois-là.",
  emptyText: "Dès qu’un modèle vous aura répondu, vous verrez ici ce qu’il a consommé.",
  about: "≈ est une estimation : le fournisseur du modèle n’a pas indiqué le nombre de tokens.",
  unpriced: "– signale les modèles dont ce serveur ne connaît pas le prix.",
  priced: "Coûts d’après les prix publics au {{date}}. Ce que facture le fournisseur fait foi.",
  partly: "et des modèles sans prix",
  demo: "Assistant de démo",

  ofAnswer: "Consommation de cette réponse",
  time: "Durée",
  none: "On ne sait pas ce que cette réponse a consommé.",
  failed: "Le chargement a échoué.",
  loading: "Chargement…",
  seconds: "{{seconds}} s",
};
