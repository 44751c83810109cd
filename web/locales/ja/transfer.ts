import type { transfer as english } from "../en/transfer.ts";
import type { Translated } from "../translated.ts";

export const transfer: Translated<typeof english> = {
  exportTitle: "エクスポート",
  exportText:
    "すべてのチャットを、分岐・フォルダー・プリセットとともに、ほかのプログラムでも読める 1 つのファイルにします。",
  allChats: "1 つの JSON ファイル",
  exportAll: "すべてのチャットをエクスポート",
  exporting: "エクスポート中…",
  soFar: "現在 {{size}}",
  exported: "チャットをファイルに保存しました。",
  stop: "停止",

  importTitle: "インポート",
  importText: "ここや別のサーバーでエクスポートしたファイルからチャットを取り込みます。今あるものはそのまま残ります。",
  choose: "ファイルを選択",
  drop: "またはここにドロップ",
  importing: "インポート中…",
  share: "{{percent}} 完了",
  imported_zero: "新しいチャットはありませんでした。",
  imported_other: "{{count}} 件のチャットをインポートしました。",
  skipped_other: "{{count}} 件はすでにありました。",
  stopped: "インポートを停止しました。それまでにインポートした分は残ります。",
  left_other: "{{count}} 件を取り込めませんでした：",
  more_other: "ほか {{count}} 件",
  again: "それまでにインポートした分は残ります。続けるには、同じファイルをもう一度選択してください。",
  reason: {
    broken: "破損しているか、この形式ではありません",
    tree: "メッセージがつながっていません",
    "too-large": "大きすぎます",
    quota: "空き容量がありません",
    folder: "フォルダーをこれ以上作れません。中のチャットはフォルダーに入りません",
    preset: "プリセットをこれ以上作れません。使っていたチャットにはプリセットが付きません",
  },
  notAnExport:
    "エクスポートしたチャットのファイルではありません。ここの「エクスポート」で作成した JSON ファイル（形式は“parley-export”）を選択してください。",
  newerExport: "このファイルは新しいバージョンのものです。先にこのサーバーを更新する必要があります。",
};
