import type { accounts as english } from "../en/accounts.ts";
import type { Translated } from "../translated.ts";

export const accounts: Translated<typeof english> = {
  or: "ou",
  showPassword: "Afficher les caractères",
  hidePassword: "Masquer les caractères",

  login: {
    title: "Connexion à {{product}} Chat",
    subtitle: "Bon retour ! Connectez-vous à votre compte.",
    username: "Nom d’utilisateur",
    usernamePlaceholder: "Votre nom d’utilisateur",
    password: "Mot de passe",
    passwordPlaceholder: "Votre mot de passe",
    submit: "Se connecter",
    submitting: "Connexion…",
    failed: "Échec de la connexion",
    googleFailed: "Échec de la connexion avec Google",
    googleUnavailable: "Le bouton Google n’a pas pu être chargé. Vous pouvez vous connecter avec votre mot de passe.",
    googleSigningIn: "Connexion avec Google…",
    newHere: "Première visite ?",
    createAccount: "Créer un compte",
    forgot: "Mot de passe oublié ?",
    orReset: "Ou définir un nouveau mot de passe",
    kept: "Votre compte est conservé : il ne sera pas supprimé.",
  },

  forgot: {
    title: "Mot de passe oublié ?",
    text: "Indiquez votre adresse e-mail ou votre nom d’utilisateur : nous vous enverrons un lien pour définir un nouveau mot de passe.",
    field: "E-mail ou nom d’utilisateur",
    submit: "Envoyer le lien",
    submitting: "Envoi…",
    failed: "Le lien n’a pas pu être envoyé",
    back: "Retour à la connexion",
    sentTitle: "Consultez votre messagerie",
    nothingCame: "Toujours rien après quelques minutes ? Regardez dans les courriers indésirables, ou",
    again: "refaites une demande",
  },

  reset: {
    title: "Nouveau mot de passe",
    text: "Vos sessions seront fermées sur tous les appareils ; reconnectez-vous ensuite avec le nouveau mot de passe.",
    password: "Nouveau mot de passe",
    confirmPassword: "Confirmer le mot de passe",
    submit: "Définir le mot de passe",
    submitting: "Enregistrement…",
    failed: "Le mot de passe n’a pas pu être défini",
    missingText:
      "Cette page a besoin du lien de votre e-mail, et l’oublie quand on la recharge. Rouvrez le lien, ou demandez-en un nouveau.",
    deadText: "Il n’est pas valide, a expiré ou a déjà servi. Veuillez en demander un nouveau.",
    newLink: "Obtenir un nouveau lien",
    doneTitle: "Votre mot de passe est défini",
    stillSignedIn: "Ce navigateur est connecté au compte {{username}}.",
    toChats: "Aller à vos discussions",
  },

  link: {
    deadTitle: "Ce lien ne fonctionne plus",
    missingTitle: "Rouvrez le lien",
    missingText:
      "Cette page a besoin du lien de votre e-mail, et l’oublie quand on la recharge. À moins qu’elle n’ait déjà indiqué que tout a marché, rouvrez le lien de l’e-mail.",
    failed: "Ce lien n’a pas pu être ouvert",
    retry: "Réessayer",
    toChats: "Aller à vos discussions",
    toSignIn: "Aller à la connexion",
    toSettings: "Aller à vos paramètres",
  },

  confirmEmail: {
    title: "Votre nouvelle adresse",
    working: "Confirmation en cours…",
    doneTitle: "Adresse confirmée !",
    doneText: "Désormais, les e-mails concernant votre compte iront à votre nouvelle adresse.",
    doneElsewhere:
      "Si vous avez ouvert ce lien dans un autre navigateur que celui où vous l’avez demandé, tous les appareils ont été déconnectés et Google a été dissocié. Veuillez vous reconnecter ; il vous sera peut-être demandé de confirmer votre mot de passe par e-mail.",
    nextChats: "Aller à vos discussions",
    nextSignIn: "Aller à la connexion",
    deadText: "Il n’est pas valide, a expiré ou a déjà servi. Vous pouvez en demander un nouveau dans vos paramètres.",
  },

  undoEmail: {
    title: "Votre ancienne adresse",
    working: "Votre compte la récupère…",
    doneTitle: "Votre adresse est rétablie",
    doneText:
      "Votre compte a retrouvé son ancienne adresse et a été déconnecté de tous les appareils. Définissez maintenant un nouveau mot de passe : quelqu’un d’autre connaît peut-être l’ancien.",
    next: "Définir un nouveau mot de passe",
    deadText:
      "Il n’est pas valide, a expiré ou a déjà servi. Si quelqu’un d’autre a changé votre adresse, prévenez l’administrateur.",
  },

  advice: {
    common:
      "Ce mot de passe figure sur les listes de mots de passe courants, essayés en premier. Un autre serait plus sûr.",
    personal: "Ce mot de passe peut se deviner à partir de votre nom ou de votre adresse. Un autre serait plus sûr.",
  },

  register: {
    title: "Créer un compte",
    firstname: "Prénom",
    lastname: "Nom",
    username: "Nom d’utilisateur",
    email: "E-mail",
    password: "Mot de passe",
    confirmPassword: "Confirmer le mot de passe",
    submit: "Créer un compte",
    submitting: "Création du compte…",
    failed: "Échec de l’inscription",
    doneTitle: "Inscription réussie !",
    doneText: "Consultez votre messagerie et cliquez sur le lien de vérification pour activer votre compte.",
    doneAction: "Aller à la connexion",
    haveAccount: "Vous avez déjà un compte ?",
    signIn: "Connectez-vous ici",
  },

  verify: {
    title: "Vérifiez votre adresse e-mail",
    sentTo: "Saisissez le code de vérification envoyé à",
    fromEmail: "Saisissez le code de vérification reçu par e-mail",
    key: "Code de vérification",
    submit: "Vérifier l’adresse",
    submitting: "Vérification…",
    failed: "Échec de la vérification de l’adresse",
    doneTitle: "Adresse e-mail vérifiée !",
    doneText: "Votre compte est activé. Redirection vers la discussion…",
    notReceived: "Vous n’avez rien reçu ?",
    resend: "Renvoyer l’e-mail de vérification",
    resending: "Envoi…",
    resendFailed: "L’e-mail de vérification n’a pas pu être renvoyé",
    already: "Déjà vérifiée ?",
    signIn: "Connectez-vous ici",
  },

  fields: {
    firstname: "Prénom",
    lastname: "Nom",
    username: "Nom d’utilisateur",
    email: "E-mail",
    password: "Mot de passe",
    confirmPassword: "Confirmation du mot de passe",
    emailOrUsername: "E-mail ou nom d’utilisateur",
    key: "Code",
  },
};
