import type { transfer as english } from "../en/transfer.ts";
import type { Translated } from "../translated.ts";

export const transfer: Translated<typeof english> = {
  exportTitle: "Exportação",
  exportText:
    "Todos os seus chats com ramificações, pastas e predefinições, em um só arquivo que outros programas também conseguem ler.",
  allChats: "Um arquivo JSON",
  exportAll: "Exportar todos os chats",
  exporting: "Exportando…",
  soFar: "{{size}} até agora",
  exported: "Seus chats estão salvos em um arquivo.",
  stop: "Parar",

  importTitle: "Importação",
  importText: "Traga chats de um arquivo exportado aqui ou em outro servidor. O que você já tem fica como está.",
  choose: "Escolher um arquivo",
  drop: "ou solte-o aqui",
  importing: "Importando…",
  share: "{{percent}} concluído",
  imported_zero: "Nenhum chat era novo.",
  imported_one: "{{count}} chat foi importado.",
  imported_many: "{{count}} de chats foram importados.",
  imported_other: "{{count}} chats foram importados.",
  skipped_one: "{{count}} já estava aqui.",
  skipped_many: "{{count}} já estavam aqui.",
  skipped_other: "{{count}} já estavam aqui.",
  stopped: "A importação foi interrompida. O que já tinha sido importado continua.",
  left_one: "{{count}} item não pôde ser importado:",
  left_many: "{{count}} de itens não puderam ser importados:",
  left_other: "{{count}} itens não puderam ser importados:",
  more_one: "e mais {{count}}",
  more_many: "e mais {{count}}",
  more_other: "e mais {{count}}",
  again: "O que já tinha sido importado continua. Escolha o mesmo arquivo de novo para continuar.",
  reason: {
    broken: "está danificado ou não está neste formato",
    tree: "as mensagens não se encaixam",
    "too-large": "é grande demais",
    quota: "não há mais espaço para ele",
    folder: "não há lugar para mais uma pasta; os chats dela não estão em nenhuma",
    preset: "não há lugar para mais uma predefinição; os chats dela não têm nenhuma",
  },
  notAnExport:
    "Este não é um arquivo de chats exportados. Escolha um arquivo JSON criado aqui por “Exportação” (o formato é “parley-export”).",
  newerExport: "Este arquivo vem de uma versão mais nova. Antes é preciso atualizar este servidor.",
};
