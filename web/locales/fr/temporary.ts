import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "Discussion temporaire",
  notice: "Cette discussion n’est pas enregistrée. Elle disparaît si vous la quittez ou rechargez la page.",
  notSaved: "Non enregistrée : disparaît si vous quittez ou rechargez.",
  keep: "Garder cette discussion",
  keeping: "Enregistrement…",
  beginAnew: "Nouvelle discussion temporaire",
  kept: "Discussion enregistrée.",
  undo: "Annuler",
  discarded: "La discussion temporaire est supprimée.",
  left: "Vous avez quitté la discussion temporaire. Elle disparaît si vous fermez ou rechargez cette page.",
  lost: "La connexion a été perdue. Une réponse temporaire ne peut pas être reprise. Le texte déjà reçu est toujours là.",
  failure: "Cette discussion n’a pas pu être enregistrée. Rien n’en est perdu ici. Réessayez dans un instant.",
};
