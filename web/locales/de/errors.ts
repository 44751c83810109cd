import type { errorSentences } from "#contract/errors.ts";
import type { Translated } from "../translated.ts";

export const errors: Translated<typeof errorSentences> = {
  "invalid-input": "Bitte prüfe deine Eingaben.",
  "not-signed-in": "Bitte melde dich an.",
  "wrong-credentials": "Benutzername oder Passwort stimmt nicht.",
  "email-unverified": "Bitte bestätige zuerst deine E-Mail-Adresse.",
  "account-disabled": "Dieses Konto wurde gesperrt. Bitte wende dich an die Administration.",
  csrf: "Diese Seite war lange offen. Bitte versuche es noch einmal.",
  "not-found": "Hier ist nichts.",
  "method-not-allowed": "Diese Adresse nimmt solche Anfragen nicht an.",
  "username-taken": "Dieser Benutzername ist schon vergeben.",
  "registration-closed": "Neue Konten sind hier nicht möglich. Bitte wende dich an die Administration.",
  "registration-domain":
    "Neue Konten brauchen hier eine Adresse einer anderen Domain. Bitte wende dich an die Administration.",
  "bad-key": "Dieser Bestätigungscode ist ungültig oder abgelaufen.",
  "bad-link": "Dieser Link ist ungültig oder abgelaufen. Bitte fordere einen neuen an.",
  "address-taken":
    "Ein anderes Konto hat hier inzwischen diese Adresse. Ändere sie dort und öffne dann diesen Link noch einmal.",
  "proof-needed": "Bitte bestätige, dass du es bist.",
  "wrong-password": "Das ist nicht dein Passwort.",
  "google-taken": "Dieses Google-Konto ist hier mit einem anderen Konto verbunden.",
  "google-connected": "Es ist schon ein Google-Konto verbunden. Bitte trenne es zuerst.",
  "last-sign-in": "Bitte lege zuerst ein Passwort fest: Sonst könnte sich niemand mehr bei diesem Konto anmelden.",
  "bad-google-token": "Die Anmeldung mit Google hat nicht geklappt. Bitte versuche es noch einmal.",
  "connect-google": "Mit dieser E-Mail-Adresse gibt es schon ein Konto. Bitte melde dich mit deinem Passwort an.",
  "google-domain": "Dieses Google-Konto gehört nicht zur Organisation dieses Servers. Bitte nimm ein anderes.",
  "google-unavailable":
    "Die Anmeldung mit Google ist gerade nicht möglich. Bitte versuche es später noch einmal oder nimm dein Passwort.",
  "model-unknown": "Dieses Modell gibt es hier nicht. Bitte wähle ein anderes.",
  "model-unavailable": "Dieses Modell ist auf diesem Server nicht eingerichtet. Bitte wähle ein anderes.",
  "preset-gone": "Dieses Preset ist nicht mehr da.",
  "too-many-presets": "Mehr Presets gehen nicht. Bitte lösche zuerst eines.",
  "reply-running": "Der Assistent schreibt noch. Bitte warte, bis er fertig ist.",
  "conversation-moved":
    "Dieser Chat ist anderswo weitergegangen. Bitte sieh dir das Neue an und sende dann noch einmal.",
  "nothing-to-answer": "Hier ist nichts, das noch einmal beantwortet werden könnte.",
  "nothing-to-continue": "Hier ist nichts, das fortgesetzt werden könnte.",
  "too-many-replies":
    "Gerade werden andere Antworten für dich geschrieben. Diese beginnt, sobald eine davon fertig ist.",
  "folder-gone": "Dieser Ordner ist nicht mehr da.",
  "too-many-folders": "Für weitere Ordner ist kein Platz. Lösche einen, um einen neuen anzulegen.",
  "idempotency-mismatch": "Diese Anfrage wurde schon mit anderem Inhalt gestellt.",
  "quota-reached":
    "Dieser Chat oder alles, was du gespeichert hast, ist so groß, wie es sein kann: Beginne einen neuen Chat oder lösche Chats, um Platz zu schaffen.",
  "message-too-long": "Diese Nachricht ist zu lang. Bitte kürze sie.",
  "too-large": "Das ist zu groß.",
  "not-an-export":
    "Das ist keine Datei mit exportierten Chats. Bitte wähle eine JSON-Datei, die „Export“ hier erstellt hat; ihr Format ist „parley-export“.",
  "newer-export": "Diese Datei stammt aus einer neueren Version. Bitte aktualisiere zuerst diesen Server.",
  "unsupported-media-type": "Diese Adresse nimmt nur JSON an.",
  "too-many-requests": "Das war zu oft. Bitte warte ein wenig.",
  unavailable: "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich noch einmal.",
  "storage-full": "Der Server hat keinen Platz mehr, um das zu speichern. Bitte wende dich an die Administration.",
  draining: "Der Server startet neu. Bitte versuche es gleich noch einmal.",
  internal: "Bei uns ist etwas schiefgegangen. Bitte versuche es noch einmal.",
  "assistant-busy": "Der Assistent ist gerade beschäftigt. Bitte versuche es gleich noch einmal.",
  "assistant-refused": "Der Assistent hat es abgelehnt, darauf zu antworten.",
  "assistant-too-long":
    "Diese Unterhaltung ist zu lang für das Modell. Bitte beginne einen neuen Chat oder kürze deine Nachricht.",
  "assistant-misconfigured": "Der Assistent ist nicht richtig eingerichtet. Bitte wende dich an die Administration.",
  "assistant-unreachable": "Der Assistent ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  "assistant-stalled": "Der Assistent antwortet nicht mehr. Bitte versuche es noch einmal.",
  "assistant-broken-off": "Die Antwort ist abgebrochen. Bitte versuche es noch einmal.",
  "assistant-failed": "Der Assistent konnte nicht antworten. Bitte versuche es noch einmal.",
};
