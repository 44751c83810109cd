import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "一時チャット",
  notice: "このチャットは保存されません。離れるか再読み込みすると消えます。",
  notSaved: "保存されません。離れるか再読み込みすると消えます。",
  keep: "このチャットを保存",
  keeping: "保存中…",
  beginAnew: "新しい一時チャット",
  kept: "このチャットを保存しました。",
  undo: "元に戻す",
  discarded: "一時チャットを破棄しました。",
  left: "一時チャットから離れました。このページを閉じるか再読み込みすると消えます。",
  lost: "接続が切れました。一時チャットの回答は再開できません。届いた分はここに残っています。",
  failure: "このチャットを保存できませんでした。内容は失われていません。しばらくしてからもう一度お試しください。",
};
