import type { app as english } from "../en/app.ts";
import type { Translated } from "../translated.ts";

export const app: Translated<typeof english> = {
  close: "Schließen",
  cancel: "Abbrechen",
  skip: "Zum Inhalt springen",
  notifications: "Mitteilungen",
  loading: "Wird geladen …",
  instructionsChanged:
    "Deine Anweisungen für alle Chats wurden in einem anderen Tab oder auf einem anderen Gerät geändert.",
  notFoundTitle: "Hier ist nichts",
  notFoundText: "Die Seite {{path}} gibt es nicht. Vielleicht ist sie umgezogen, oder der Link ist unvollständig.",
  notFoundAction: "Zu deinen Chats",
  brokenTitle: "Diese Seite funktioniert nicht mehr",
  brokenText:
    "Auf dieser Seite ist etwas fehlgeschlagen. Was gesendet wurde, bleibt erhalten; lade die Seite neu, um weiterzumachen.",
  brokenAction: "Seite neu laden",
  documentTitle: "{{page}} · {{product}}",
  documentTitleCounted: "({{count}}) {{title}}",
  page: {
    login: "Anmelden",
    register: "Konto erstellen",
    verifyEmail: "E-Mail bestätigen",
    forgotPassword: "Passwort vergessen",
    resetPassword: "Neues Passwort festlegen",
    confirmEmail: "Neue Adresse bestätigen",
    undoEmail: "Adressänderung rückgängig machen",
    chat: "Chat",
    settings: "Einstellungen",
    accessibility: "Barrierefreiheit",
    notFound: "Nicht gefunden",
  },
  language: { label: "Sprache", own: "Wie in meinem Browser" },
  wait: {
    seconds_one: "{{count}} Sekunde",
    seconds_other: "{{count}} Sekunden",
    minutes_one: "{{count}} Minute",
    minutes_other: "{{count}} Minuten",
    hours_one: "{{count}} Stunde",
    hours_other: "{{count}} Stunden",
    tooOften: "Das war zu oft. Bitte warte {{wait}}.",
    over: "Du kannst es jetzt wieder versuchen.",
  },
  failure: {
    unknown: "Unbekannter Fehler",
    unreachable: "Der Server ist nicht erreichbar. Bitte prüfe deine Verbindung und versuche es noch einmal.",
    part: "Das konnte nicht geladen werden. Bitte prüfe deine Verbindung und versuche es noch einmal, oder lade die Seite neu.",
    "unexpected-answer":
      "Der Server hat eine Antwort gegeben, die diese Seite nicht versteht. Bitte lade die Seite neu.",
  },
};
