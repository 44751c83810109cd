import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "料金はこのサーバーが把握している、100 万トークンあたりの米ドルです。",
  demo: "このサーバーには提供元が設定されていません。どのモデルを選んでも、内蔵のデモが回答します。",
  chosen: {
    title: "新しいチャットのモデル",
    text: "プリセットで別のモデルが指定されていないときに回答します。チャットで選ぶと、ここも変わります。",
    auto: "自動",
    unavailable: "{{name}}（未設定）",
  },
  unavailable: "未設定",
  context: "コンテキスト {{tokens}} トークン",
  price: "入力 {{input}}、出力 {{output}}",
  menus: "メニューに表示",
  inMenu: "{{name}} をメニューに表示",
  always: "新しいチャットのモデルは常に表示されます。",
};
