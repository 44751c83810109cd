import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "ここでの設定は、誰が使っても、このブラウザーに適用されます。",
  theme: {
    title: "テーマ",
    legend: "ライトまたはダーク",
    system: "システム",
    light: "ライト",
    dark: "ダーク",
  },
  contrast: "ハイコントラスト",
  contrastText: "文字と輪郭をはっきりさせます。オフの場合はシステムの設定に従います。",
  motion: "動きを減らす",
  motionText: "スライドやフェードをなくします。オフの場合はシステムの設定に従います。",
  reading: {
    title: "読みやすさ",
    preview: "プレビュー",
    question: "空はなぜ青いのですか？",
    answer: "空気は赤い光より青い光を多く散乱させるため、青い光があらゆる方向から届きます。",
    aside: "夕方は光が空気を通る距離が長くなり、赤い光が残ります。",
    typeface: "回答の書体",
    sans: "Inter",
    serif: "Source Serif",
    size: "文字の大きさ",
    small: "小",
    medium: "中",
    large: "大",
    larger: "特大",
    wrap: "コードの長い行を折り返す",
    wrapText: "コードごとに切り替えることもできます。",
  },
  writing: {
    title: "入力",
    legend: "送信に使うキー",
    enter: "Enter で送信",
    enterText: "Shift+Enter で改行します。",
    combined: "{{keys}} で送信",
    combinedText: "Enter で改行します。",
  },
  reset: {
    title: "すべて元に戻す",
    text: "言語を除く、このページのすべての設定。",
    button: "外観をリセット",
    done: "外観をリセットしました。",
    undo: "元に戻す",
  },
};
