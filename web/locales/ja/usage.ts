import type { usage as english } from "../en/usage.ts";
import type { Translated } from "../translated.ts";

export const usage: Translated<typeof english> = {
  title: "使用量",
  months: "月",
  text: "回答、タイトル、一時チャットがモデルで使った量です（UTC の暦月ごと）。",
  monthLabel_other: "{{month}}：呼び出し {{count}} 回、{{cost}}",
  model: "モデル",
  calls: "呼び出し",
  input: "入力トークン",
  output: "出力トークン",
  cost: "費用",
  total: "合計",
  callCount_other: "呼び出し {{count}} 回",
  empty: "この月の使用はありません。",
  emptyText: "モデルが回答すると、使用量がここに表示されます。",
  about: "≈ は推定値です。モデルの提供元からトークン数が示されませんでした。",
  unpriced: "– は、このサーバーで料金がわからないモデルです。",
  priced: "費用は {{date}} 時点の定価によります。実際の請求額は提供元によります。",
  partly: "および料金不明のモデル",
  demo: "デモアシスタント",

  ofAnswer: "この回答の使用量",
  time: "時間",
  none: "この回答の使用量はわかりません。",
  failed: "読み込めませんでした。",
  loading: "読み込み中…",
  seconds: "{{seconds}} 秒",
};
