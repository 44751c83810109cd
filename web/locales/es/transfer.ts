import type { transfer as english } from "../en/transfer.ts";
import type { Translated } from "../translated.ts";

export const transfer: Translated<typeof english> = {
  exportTitle: "Exportación",
  exportText:
    "Todos tus chats con sus ramas, carpetas y preajustes, en un solo archivo que otros programas también pueden leer.",
  allChats: "Un archivo JSON",
  exportAll: "Exportar todos los chats",
  exporting: "Exportando…",
  soFar: "{{size}} hasta ahora",
  exported: "Tus chats están guardados en un archivo.",
  stop: "Detener",

  importTitle: "Importación",
  importText: "Trae chats de un archivo exportado aquí o en otro servidor. Lo que ya tienes se queda como está.",
  choose: "Elegir un archivo",
  drop: "o suéltalo aquí",
  importing: "Importando…",
  share: "{{percent}} completado",
  imported_zero: "Ningún chat era nuevo.",
  imported_one: "Se importó {{count}} chat.",
  imported_many: "Se importaron {{count}} de chats.",
  imported_other: "Se importaron {{count}} chats.",
  skipped_one: "{{count}} ya estaba.",
  skipped_many: "{{count}} ya estaban.",
  skipped_other: "{{count}} ya estaban.",
  stopped: "La importación se detuvo. Lo importado hasta entonces se conserva.",
  left_one: "No se pudo importar {{count}} elemento:",
  left_many: "No se pudieron importar {{count}} de elementos:",
  left_other: "No se pudieron importar {{count}} elementos:",
  more_one: "y {{count}} más",
  more_many: "y {{count}} más",
  more_other: "y {{count}} más",
  again: "Lo importado hasta entonces se conserva. Elige el mismo archivo otra vez para continuar.",
  reason: {
    broken: "está dañado o no tiene este formato",
    tree: "sus mensajes no encajan entre sí",
    "too-large": "es demasiado grande",
    quota: "ya no queda espacio para él",
    folder: "no hay lugar para otra carpeta; sus chats no están en ninguna",
    preset: "no hay lugar para otro preajuste; sus chats no tienen ninguno",
  },
  notAnExport:
    "Este no es un archivo de chats exportados. Elige un archivo JSON creado aquí con «Exportación» (su formato es «parley-export»).",
  newerExport: "Este archivo viene de una versión más nueva. Antes hay que actualizar este servidor.",
};
