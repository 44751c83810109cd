import type { errorSentences } from "#contract/errors.ts";
import type { Translated } from "../translated.ts";

export const errors: Translated<typeof errorSentences> = {
  "invalid-input": "Vérifiez ce que vous avez saisi.",
  "not-signed-in": "Veuillez vous connecter.",
  "wrong-credentials": "Le nom d’utilisateur ou le mot de passe n’est pas correct.",
  "email-unverified": "Veuillez d’abord vérifier votre adresse e-mail.",
  "account-disabled": "Ce compte a été désactivé. Veuillez contacter l’administrateur.",
  csrf: "Cette page est restée ouverte longtemps. Veuillez réessayer.",
  "not-found": "Il n’y a rien ici.",
  "method-not-allowed": "Cette adresse n’accepte pas ce type de requête.",
  "username-taken": "Ce nom d’utilisateur est déjà pris.",
  "registration-closed": "Il n’est pas possible de créer un compte ici. Adressez-vous à l’administrateur.",
  "registration-domain":
    "Les nouveaux comptes exigent ici une adresse d’un autre domaine. Adressez-vous à l’administrateur.",
  "bad-key": "Ce code de vérification n’est pas valide ou a expiré.",
  "bad-link": "Ce lien n’est pas valide ou a expiré. Veuillez en demander un nouveau.",
  "address-taken":
    "Un autre compte a entre-temps pris cette adresse ici. Changez celle de cet autre compte, puis rouvrez ce lien.",
  "proof-needed": "Veuillez confirmer que c’est bien vous.",
  "wrong-password": "Ce n’est pas votre mot de passe.",
  "google-taken": "Ce compte Google est associé à un autre compte ici.",
  "google-connected": "Un compte Google est déjà associé. Veuillez d’abord le dissocier.",
  "last-sign-in": "Définissez d’abord un mot de passe : sinon, plus personne ne pourrait se connecter à ce compte.",
  "bad-google-token": "La connexion avec Google n’a pas fonctionné. Veuillez réessayer.",
  "connect-google": "Un compte existe déjà avec cette adresse e-mail. Connectez-vous avec votre mot de passe.",
  "google-domain": "Ce compte Google n’appartient pas à l’organisation de ce serveur. Veuillez en utiliser un autre.",
  "google-unavailable":
    "La connexion avec Google n’est pas disponible actuellement. Réessayez plus tard ou utilisez votre mot de passe.",
  "model-unknown": "Ce modèle n’existe pas ici. Veuillez en choisir un autre.",
  "model-unavailable": "Ce modèle n’est pas configuré sur ce serveur. Veuillez en choisir un autre.",
  "preset-gone": "Ce préréglage n’est plus là.",
  "too-many-presets": "Le nombre maximal de préréglages est atteint. Veuillez d’abord en supprimer un.",
  "reply-running": "L’assistant écrit encore. Veuillez attendre qu’il ait terminé.",
  "conversation-moved":
    "Cette discussion a continué ailleurs. Regardez ce qui est nouveau, puis renvoyez votre message.",
  "nothing-to-answer": "Il n’y a rien ici à quoi répondre de nouveau.",
  "nothing-to-continue": "Il n’y a rien ici à continuer.",
  "too-many-replies":
    "D’autres réponses sont en cours pour vous. Celle-ci commencera dès que l’une d’elles sera terminée.",
  "folder-gone": "Ce dossier n’est plus là.",
  "too-many-folders": "Il n’y a plus de place pour d’autres dossiers. Supprimez-en un pour en créer un autre.",
  "idempotency-mismatch": "Cette requête a déjà été faite avec un autre contenu.",
  "quota-reached":
    "Cette discussion, ou tout ce que vous avez enregistré, a atteint sa taille maximale : commencez une nouvelle discussion ou supprimez-en pour libérer de la place.",
  "message-too-long": "Ce message est trop long. Veuillez le raccourcir.",
  "too-large": "C’est trop volumineux.",
  "not-an-export":
    "Ce n’est pas un fichier de discussions exportées. Choisissez un fichier JSON créé ici par « Exportation » ; son format est « parley-export ».",
  "newer-export": "Ce fichier vient d’une version plus récente. Veuillez d’abord mettre ce serveur à jour.",
  "unsupported-media-type": "Cette adresse n’accepte que du JSON.",
  "too-many-requests": "Trop de tentatives. Veuillez patienter un peu.",
  unavailable: "Le service n’est pas disponible actuellement. Réessayez dans un instant.",
  "storage-full": "Le serveur n’a plus de place pour enregistrer ceci. Prévenez l’administrateur.",
  draining: "Le serveur redémarre. Réessayez dans un instant.",
  internal: "Un problème est survenu de notre côté. Veuillez réessayer.",
  "assistant-busy": "L’assistant est occupé actuellement. Réessayez dans un instant.",
  "assistant-refused": "L’assistant a refusé de répondre à cela.",
  "assistant-too-long":
    "Cette conversation est trop longue pour le modèle. Commencez une nouvelle discussion ou raccourcissez votre message.",
  "assistant-misconfigured": "L’assistant n’est pas bien configuré. Prévenez l’administrateur.",
  "assistant-unreachable": "L’assistant est injoignable. Réessayez dans un instant.",
  "assistant-stalled": "L’assistant a cessé de répondre. Veuillez réessayer.",
  "assistant-broken-off": "La réponse s’est interrompue. Veuillez réessayer.",
  "assistant-failed": "L’assistant n’a pas pu répondre. Veuillez réessayer.",
};
