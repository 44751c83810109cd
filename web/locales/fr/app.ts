import type { app as english } from "../en/app.ts";
import type { Translated } from "../translated.ts";

export const app: Translated<typeof english> = {
  close: "Fermer",
  cancel: "Annuler",
  skip: "Aller au contenu",
  notifications: "Notifications",
  loading: "Chargement…",
  instructionsChanged:
    "Vos instructions pour toutes les discussions ont été modifiées dans un autre onglet ou sur un autre appareil.",
  notFoundTitle: "Il n’y a rien ici",
  notFoundText: "La page {{path}} n’existe pas. Elle a peut-être été déplacée, ou le lien est incomplet.",
  notFoundAction: "Aller à vos discussions",
  brokenTitle: "Cette page ne fonctionne plus",
  brokenText:
    "Quelque chose a échoué sur cette page. Ce qui a été envoyé est conservé ; rechargez la page pour continuer.",
  brokenAction: "Recharger la page",
  documentTitle: "{{page}} · {{product}}",
  documentTitleCounted: "({{count}}) {{title}}",
  page: {
    login: "Connexion",
    register: "Créer un compte",
    verifyEmail: "Vérifier l’adresse",
    forgotPassword: "Mot de passe oublié",
    resetPassword: "Nouveau mot de passe",
    confirmEmail: "Confirmer l’adresse",
    undoEmail: "Annuler le changement d’adresse",
    chat: "Discussion",
    settings: "Paramètres",
    accessibility: "Accessibilité",
    notFound: "Page introuvable",
  },
  language: { label: "Langue", own: "Celle de mon navigateur" },
  wait: {
    seconds_one: "{{count}} seconde",
    seconds_many: "{{count}} de secondes",
    seconds_other: "{{count}} secondes",
    minutes_one: "{{count}} minute",
    minutes_many: "{{count}} de minutes",
    minutes_other: "{{count}} minutes",
    hours_one: "{{count}} heure",
    hours_many: "{{count}} d’heures",
    hours_other: "{{count}} heures",
    tooOften: "Trop de tentatives. Veuillez patienter {{wait}}.",
    over: "Vous pouvez réessayer maintenant.",
  },
  failure: {
    unknown: "Erreur inconnue",
    unreachable: "Le serveur est injoignable. Vérifiez votre connexion et réessayez.",
    part: "Le chargement a échoué. Vérifiez votre connexion et réessayez, ou rechargez la page.",
    "unexpected-answer": "Cette page ne comprend pas la réponse du serveur. Veuillez recharger la page.",
  },
};
