import type { access as english } from "../en/access.ts";
import type { Translated } from "../translated.ts";

export const access: Translated<typeof english> = {
  title: "Accessibilité",
  promise:
    "{{product}} est fait pour que tout le monde puisse s’en servir : à la souris, au toucher, au clavier seul, avec un lecteur d’écran, agrandi, en contraste élevé. Il est conçu pour respecter les Web Content Accessibility Guidelines 2.2 au niveau AA.",
  does: {
    title: "Ce sur quoi vous pouvez compter",
    keyboard:
      "Tout peut se faire au clavier, et l’élément qui a le focus est visible. La touche ? affiche tous les raccourcis, et F6 mène à une notification puis en revient.",
    spoken: "Un lecteur d’écran reçoit chaque phrase d’une réponse dès qu’elle arrive, sans être interrompu.",
    seen: "Le texte a un contraste d’au moins 7 pour 1, et les mentions secondaires d’au moins 4,5 pour 1. Les paramètres proposent un affichage à contraste élevé, où il est de 7 pour 1 partout, un texte plus grand pour les réponses et un affichage avec moins de mouvement ; les réglages de votre système sont suivis d’eux-mêmes.",
    zoom: "À 200 % et sur un écran de 320 px, rien n’est coupé, et seuls les tableaux et le code demandent un défilement horizontal.",
    touch: "Ce que le doigt doit toucher mesure au moins 44 px de large et de haut.",
    languages: "La page parle huit langues, dont une s’écrit de droite à gauche.",
  },
  tested: {
    title: "Comment c’est vérifié",
    text: "À chaque modification, des contrôles automatiques examinent avec axe toutes les pages dans leurs différents états, en clair et en sombre, et parcourent les tâches principales au clavier seul, sur un écran de téléphone, à 200 % et à 320 px, et avec plus d’espace entre les lettres, les mots et les lignes. Les contrastes sont calculés à partir des couleurs elles-mêmes.",
  },
  limits: {
    title: "Ce qui ne va pas encore bien",
    answers: "Ce que l’assistant écrit vient de lui : ses tableaux, titres et formules peuvent être mal formés.",
    diagrams: "Les diagrammes des réponses sont des images ; leur source peut s’afficher en texte à leur place.",
    google: "Le bouton « Se connecter avec Google » vient de Google. La connexion par mot de passe n’en a pas besoin.",
    screenReaders: "Aucun test n’a encore été fait avec des personnes qui utilisent chaque jour un lecteur d’écran.",
  },
  contact: {
    title: "Quelque chose vous gêne ?",
    text: "Dites-le à l’équipe qui gère ce serveur ; elle pourra le transmettre à celle qui le développe. Le plus utile : décrire ce que vous avez essayé, avec quel navigateur et quelle aide technique.",
  },
  reviewed: "Dernière révision le {{date}}.",
  back: "Retour",
};
