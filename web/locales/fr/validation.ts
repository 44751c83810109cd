import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "{{field}} : à remplir",
  email: "Veuillez saisir une adresse e-mail valide",
  alphanumeric:
    "Le nom d’utilisateur ne doit contenir que des lettres et des chiffres (ni espaces ni caractères spéciaux)",
  letters: "{{field}} : des lettres seulement (ni chiffres ni caractères spéciaux)",
  min: "{{field}} : {{n}} caractères au moins",
  max: "{{field}} : {{n}} caractères au plus",
  mismatch: "Les mots de passe ne correspondent pas",
  common: "Ce mot de passe figure sur les listes de mots de passe courants. Veuillez en choisir un autre",
  personal: "Ce mot de passe peut se deviner à partir de votre nom ou de votre adresse. Veuillez en choisir un autre",
  key: "Veuillez saisir le code de vérification",
  resendEmail: "L’adresse e-mail est nécessaire pour renvoyer l’e-mail de vérification",
  invalid: "{{field}} : saisie non valide",
};
