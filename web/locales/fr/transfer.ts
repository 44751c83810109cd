import type { transfer as english } from "../en/transfer.ts";
import type { Translated } from "../translated.ts";

export const transfer: Translated<typeof english> = {
  exportTitle: "Exportation",
  exportText:
    "Toutes vos discussions avec leurs branches, dossiers et préréglages, dans un seul fichier que d’autres programmes savent lire aussi.",
  allChats: "Un fichier JSON",
  exportAll: "Tout exporter",
  exporting: "Exportation…",
  soFar: "{{size}} pour l’instant",
  exported: "Vos discussions sont enregistrées dans un fichier.",
  stop: "Arrêter",

  importTitle: "Importation",
  importText:
    "Reprenez des discussions d’un fichier exporté ici ou sur un autre serveur. Ce que vous avez déjà reste tel quel.",
  choose: "Choisir un fichier",
  drop: "ou déposez-le ici",
  importing: "Importation…",
  share: "{{percent}} terminé",
  imported_zero: "Aucune discussion n’était nouvelle.",
  imported_one: "{{count}} discussion importée.",
  imported_many: "{{count}} de discussions importées.",
  imported_other: "{{count}} discussions importées.",
  skipped_one: "{{count}} était déjà là.",
  skipped_many: "{{count}} étaient déjà là.",
  skipped_other: "{{count}} étaient déjà là.",
  stopped: "L’importation est arrêtée. Ce qui était déjà importé reste.",
  left_one: "{{count}} élément n’a pas pu être repris :",
  left_many: "{{count}} d’éléments n’ont pas pu être repris :",
  left_other: "{{count}} éléments n’ont pas pu être repris :",
  more_one: "et {{count}} autre",
  more_many: "et {{count}} d’autres",
  more_other: "et {{count}} autres",
  again: "Ce qui était déjà importé reste. Choisissez de nouveau le même fichier pour continuer.",
  reason: {
    broken: "endommagé, ou pas dans ce format",
    tree: "les messages ne s’enchaînent pas",
    "too-large": "trop volumineux",
    quota: "il n’y a plus de place pour elle",
    folder: "plus de place pour un autre dossier ; ses discussions ne sont dans aucun",
    preset: "plus de place pour un autre préréglage ; ses discussions n’en ont pas",
  },
  notAnExport:
    "Ce n’est pas un fichier de discussions exportées. Choisissez un fichier JSON créé ici par « Exportation » (son format est « parley-export »).",
  newerExport: "Ce fichier vient d’une version plus récente. Il faut d’abord mettre ce serveur à jour.",
};
