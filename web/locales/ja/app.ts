import type { app as english } from "../en/app.ts";
import type { Translated } from "../translated.ts";

export const app: Translated<typeof english> = {
  close: "閉じる",
  cancel: "キャンセル",
  skip: "本文へ移動",
  notifications: "通知",
  loading: "読み込み中…",
  instructionsChanged: "すべてのチャットへの指示が、別のタブまたは別の端末で変更されました。",
  notFoundTitle: "ここには何もありません",
  notFoundText: "ページ {{path}} は存在しません。移動したか、リンクが途中で切れている可能性があります。",
  notFoundAction: "チャットへ移動",
  brokenTitle: "このページは動作を停止しました",
  brokenText:
    "このページの一部で問題が発生しました。送信済みの内容は保存されています。続けるにはページを再読み込みしてください。",
  brokenAction: "ページを再読み込み",
  documentTitle: "{{page}} · {{product}}",
  documentTitleCounted: "({{count}}) {{title}}",
  language: { label: "言語", own: "ブラウザーと同じ" },
  page: {
    login: "ログイン",
    register: "アカウントを作成",
    verifyEmail: "メールアドレスの確認",
    forgotPassword: "パスワードをお忘れの場合",
    resetPassword: "新しいパスワードの設定",
    confirmEmail: "メールアドレスの確認",
    undoEmail: "メールアドレス変更の取り消し",
    chat: "チャット",
    settings: "設定",
    accessibility: "アクセシビリティ",
    notFound: "見つかりません",
  },
  wait: {
    seconds_other: "{{count}} 秒",
    minutes_other: "{{count}} 分",
    hours_other: "{{count}} 時間",
    tooOften: "回数が多すぎます。{{wait}}お待ちください。",
    over: "もう一度お試しいただけます。",
  },
  failure: {
    unknown: "不明なエラーが発生しました",
    unreachable: "サーバーに接続できませんでした。接続を確認して、もう一度お試しください。",
    part: "読み込めませんでした。接続を確認してもう一度お試しいただくか、ページを再読み込みしてください。",
    "unexpected-answer": "サーバーから、このページで解釈できない応答がありました。ページを再読み込みしてください。",
  },
};
