import type { transfer as english } from "../en/transfer.ts";
import type { Translated } from "../translated.ts";

export const transfer: Translated<typeof english> = {
  exportTitle: "Export",
  exportText:
    "Alle deine Chats mit ihren Zweigen, Ordnern und Presets, in einer Datei, die auch andere Programme lesen können.",
  allChats: "Eine JSON-Datei",
  exportAll: "Alle Chats exportieren",
  exporting: "Wird exportiert …",
  soFar: "{{size}} bisher",
  exported: "Deine Chats sind in einer Datei gespeichert.",
  stop: "Stoppen",

  importTitle: "Import",
  importText:
    "Übernimm Chats aus einer Datei, die hier oder auf einem anderen Server exportiert wurde. Was du schon hast, bleibt, wie es ist.",
  choose: "Datei wählen",
  drop: "oder hier ablegen",
  importing: "Wird importiert …",
  share: "{{percent}} fertig",
  imported_zero: "Kein Chat war neu.",
  imported_one: "{{count}} Chat wurde importiert.",
  imported_other: "{{count}} Chats wurden importiert.",
  skipped_one: "{{count}} war schon da.",
  skipped_other: "{{count}} waren schon da.",
  stopped: "Der Import wurde gestoppt. Was bis dahin importiert war, bleibt.",
  left_one: "{{count}} Eintrag konnte nicht übernommen werden:",
  left_other: "{{count}} Einträge konnten nicht übernommen werden:",
  more_one: "und {{count}} weiterer",
  more_other: "und {{count}} weitere",
  again: "Was bis dahin importiert war, bleibt. Wähle dieselbe Datei noch einmal, um weiterzumachen.",
  reason: {
    broken: "beschädigt oder nicht in diesem Format",
    tree: "die Nachrichten passen nicht zusammen",
    "too-large": "zu groß",
    quota: "dafür ist kein Platz mehr",
    folder: "kein Platz für einen weiteren Ordner; seine Chats sind in keinem",
    preset: "kein Platz für ein weiteres Preset; seine Chats haben keines",
  },
  notAnExport:
    "Das ist keine Datei mit exportierten Chats. Wähle eine JSON-Datei, die „Export“ hier erstellt hat (ihr Format ist „parley-export“).",
  newerExport: "Diese Datei stammt aus einer neueren Version. Zuerst muss dieser Server aktualisiert werden.",
};
