import type { accounts as english } from "../en/accounts.ts";
import type { Translated } from "../translated.ts";

export const accounts: Translated<typeof english> = {
  or: "oder",
  showPassword: "Zeichen anzeigen",
  hidePassword: "Zeichen verbergen",

  login: {
    title: "Anmelden bei {{product}} Chat",
    subtitle: "Willkommen zurück! Bitte melde dich mit deinem Konto an.",
    username: "Benutzername",
    usernamePlaceholder: "Dein Benutzername",
    password: "Passwort",
    passwordPlaceholder: "Dein Passwort",
    submit: "Anmelden",
    submitting: "Anmeldung läuft …",
    failed: "Anmeldung fehlgeschlagen",
    googleFailed: "Anmeldung mit Google fehlgeschlagen",
    googleUnavailable: "Der Google-Button konnte nicht geladen werden. Du kannst dich mit deinem Passwort anmelden.",
    googleSigningIn: "Anmeldung mit Google …",
    newHere: "Neu hier?",
    createAccount: "Konto erstellen",
    forgot: "Passwort vergessen?",
    orReset: "Oder neues Passwort festlegen",
    kept: "Dein Konto bleibt: Es wird nicht gelöscht.",
  },

  forgot: {
    title: "Passwort vergessen?",
    text: "Gib deine E-Mail-Adresse oder deinen Benutzernamen ein. Wir senden dir einen Link, mit dem du ein neues Passwort festlegen kannst.",
    field: "E-Mail oder Benutzername",
    submit: "Link senden",
    submitting: "Wird gesendet …",
    failed: "Der Link konnte nicht gesendet werden",
    back: "Zurück zur Anmeldung",
    sentTitle: "Schau in dein Postfach",
    nothingCame: "Nach ein paar Minuten noch nichts da? Bitte schau in den Spam-Ordner oder",
    again: "fordere den Link noch einmal an",
  },

  reset: {
    title: "Neues Passwort festlegen",
    text: "Du wirst auf allen Geräten abgemeldet und meldest dich mit dem neuen Passwort wieder an.",
    otherText: "Das Konto dieses Links wird auf allen Geräten abgemeldet.",
    password: "Neues Passwort",
    confirmPassword: "Passwort wiederholen",
    submit: "Passwort festlegen",
    submitting: "Wird festgelegt …",
    failed: "Das Passwort konnte nicht festgelegt werden",
    missingText:
      "Diese Seite braucht den Link aus deiner E-Mail und vergisst ihn beim Neuladen. Bitte öffne den Link noch einmal oder fordere einen neuen an.",
    deadText: "Er ist ungültig, abgelaufen oder wurde schon benutzt. Bitte fordere einen neuen an.",
    newLink: "Neuen Link anfordern",
    doneTitle: "Dein Passwort ist festgelegt",
    stillSignedIn: "In diesem Browser bist du als {{username}} angemeldet.",
    toChats: "Zu deinen Chats",
  },

  link: {
    looking: "Der Link wird geprüft …",
    account: "Konto",
    signedInHere: "Hier angemeldet",
    linkedAccount: "Konto dieses Links",
    otherUntouched: "Das Konto, das hier angemeldet ist, bleibt, wie es ist.",
    deadTitle: "Dieser Link gilt nicht mehr",
    missingTitle: "Öffne den Link noch einmal",
    missingText:
      "Diese Seite braucht den Link aus deiner E-Mail und vergisst ihn beim Neuladen. Wenn sie dir noch nicht gesagt hat, dass es geklappt hat, öffne bitte den Link aus der E-Mail noch einmal.",
    failed: "Dieser Link konnte nicht geöffnet werden",
    retry: "Erneut versuchen",
    toChats: "Zu deinen Chats",
    toSignIn: "Zur Anmeldung",
    toSettings: "Zu deinen Einstellungen",
  },

  confirmEmail: {
    title: "Deine neue Adresse",
    askTitle: "Neue Adresse bestätigen?",
    askText: "E-Mails zu diesem Konto gehen dann an die Adresse, an der du den Link bekommen hast.",
    submit: "Adresse bestätigen",
    submitting: "Wird bestätigt …",
    doneTitle: "Adresse bestätigt!",
    doneText: "Ab jetzt gehen E-Mails zu deinem Konto an deine neue Adresse.",
    doneElsewhere:
      "Wenn du den Link in einem anderen Browser geöffnet hast als dem, in dem du ihn angefordert hast, wurden alle Geräte abgemeldet und Google wurde getrennt. Bitte melde dich neu an; vielleicht musst du dein Passwort per E-Mail bestätigen.",
    nextChats: "Zu deinen Chats",
    nextSignIn: "Zur Anmeldung",
    deadText:
      "Er ist ungültig, abgelaufen oder wurde schon benutzt. In deinen Einstellungen kannst du einen neuen anfordern.",
  },

  undoEmail: {
    title: "Deine frühere Adresse",
    askTitle: "Frühere Adresse zurückholen?",
    askText:
      "Dieses Konto hat dann wieder die Adresse, an der du den Link bekommen hast, und wird auf allen Geräten abgemeldet.",
    submit: "Adresse zurückholen",
    submitting: "Wird zurückgeholt …",
    doneTitle: "Deine Adresse ist zurück",
    doneText:
      "Dein Konto hat wieder seine frühere Adresse und wurde auf allen Geräten abgemeldet. Bitte lege jetzt ein neues Passwort fest: Jemand anderes könnte das alte kennen.",
    next: "Neues Passwort festlegen",
    deadText:
      "Er ist ungültig, abgelaufen oder wurde schon benutzt. Wenn jemand anderes deine Adresse geändert hat, wende dich bitte an die Administration.",
  },

  advice: {
    common:
      "Dieses Passwort steht auf Listen häufiger Passwörter, die zuerst ausprobiert werden. Ein anderes wäre sicherer.",
    personal: "Dieses Passwort lässt sich aus deinem Namen oder deiner Adresse erraten. Ein anderes wäre sicherer.",
  },

  register: {
    title: "Konto erstellen",
    firstname: "Vorname",
    lastname: "Nachname",
    username: "Benutzername",
    email: "E-Mail",
    password: "Passwort",
    confirmPassword: "Passwort wiederholen",
    submit: "Konto erstellen",
    submitting: "Konto wird erstellt …",
    failed: "Registrierung fehlgeschlagen",
    doneTitle: "Registrierung erfolgreich!",
    doneText: "Bitte öffne dein Postfach und klicke auf den Bestätigungslink, um dein Konto zu aktivieren.",
    doneAction: "Zur Anmeldung",
    haveAccount: "Schon ein Konto?",
    signIn: "Hier anmelden",
  },

  verify: {
    title: "Bestätige deine E-Mail-Adresse",
    sentTo: "Bitte gib den Bestätigungscode ein, gesendet an",
    fromEmail: "Bitte gib den Bestätigungscode aus deiner E-Mail ein",
    key: "Bestätigungscode",
    submit: "E-Mail bestätigen",
    submitting: "Wird bestätigt …",
    failed: "Die E-Mail-Adresse konnte nicht bestätigt werden",
    doneTitle: "E-Mail-Adresse bestätigt!",
    doneText: "Dein Konto ist jetzt aktiv. Weiter zum Chat …",
    notReceived: "Keine E-Mail bekommen?",
    resend: "Bestätigungs-E-Mail erneut senden",
    resending: "Wird gesendet …",
    resendFailed: "Die Bestätigungs-E-Mail konnte nicht erneut gesendet werden",
    switchTitle: "Zu einem anderen Konto wechseln?",
    switchText:
      "Dieser Link bestätigt ein anderes Konto als das, das hier angemeldet ist. Wenn du fortfährst, wird dieser Browser von dem einen abgemeldet und bei dem anderen angemeldet.",
    switchSubmit: "Bestätigen und wechseln",
    switchStay: "Angemeldet bleiben",
    arrived: "Angemeldet als {{username}}.",
    notMe: "Nicht du? Abmelden",
    already: "Schon bestätigt?",
    signIn: "Hier anmelden",
  },

  fields: {
    firstname: "Vorname",
    lastname: "Nachname",
    username: "Benutzername",
    email: "E-Mail",
    password: "Passwort",
    confirmPassword: "Wiederholtes Passwort",
    emailOrUsername: "E-Mail oder Benutzername",
    key: "Code",
  },
};
