import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "Ce que vous choisissez ici vaut dans ce navigateur, pour toute personne qui l’utilise.",
  theme: {
    title: "Thème",
    legend: "Clair ou sombre",
    system: "Système",
    light: "Clair",
    dark: "Sombre",
  },
  contrast: "Contraste élevé",
  contrastText: "Texte et contours plus marqués. Désactivé : comme dans votre système.",
  motion: "Moins de mouvement",
  motionText: "Rien ne glisse ni ne s’estompe. Désactivé : comme dans votre système.",
  reading: {
    title: "Lecture",
    preview: "Aperçu",
    question: "Pourquoi le ciel est-il bleu ?",
    answer: "L’air diffuse la lumière bleue plus que la rouge : le bleu vous parvient donc de partout.",
    aside: "Le soir, le trajet dans l’air est plus long, et c’est le rouge qui reste.",
    typeface: "Police des réponses",
    sans: "Inter",
    serif: "Source Serif",
    size: "Taille du texte",
    small: "Petite",
    medium: "Moyenne",
    large: "Grande",
    larger: "Très grande",
    wrap: "Renvoyer les longues lignes de code",
    wrapText: "Chaque bloc de code garde son propre réglage.",
  },
  writing: {
    title: "Écriture",
    legend: "La touche qui envoie",
    enter: "Entrée envoie",
    enterText: "Maj+Entrée commence une nouvelle ligne.",
    combined: "{{keys}} envoie",
    combinedText: "Entrée commence une nouvelle ligne.",
  },
  reset: {
    title: "Tout comme au début",
    text: "Toute cette page sauf la langue.",
    button: "Réinitialiser l’apparence",
    done: "L’apparence est réinitialisée.",
    undo: "Annuler",
  },
};
