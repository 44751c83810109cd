import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "{{field}}: bitte ausfüllen",
  email: "Bitte gib eine gültige E-Mail-Adresse ein",
  alphanumeric: "Der Benutzername darf nur Buchstaben und Ziffern enthalten (keine Leer- oder Sonderzeichen)",
  letters: "{{field}}: nur Buchstaben (keine Ziffern oder Sonderzeichen)",
  min: "{{field}}: mindestens {{n}} Zeichen",
  max: "{{field}}: höchstens {{n}} Zeichen",
  mismatch: "Die Passwörter stimmen nicht überein",
  common: "Dieses Passwort steht auf Listen häufiger Passwörter. Bitte wähle ein anderes",
  personal: "Dieses Passwort lässt sich aus deinem Namen oder deiner Adresse erraten. Bitte wähle ein anderes",
  key: "Bitte gib den Bestätigungscode ein",
  resendEmail: "Für eine neue Bestätigungs-E-Mail wird deine E-Mail-Adresse gebraucht",
  invalid: "{{field}}: ungültige Eingabe",
};
