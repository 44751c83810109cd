import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "{{field}}を入力してください",
  email: "有効なメールアドレスを入力してください",
  alphanumeric: "ユーザー名に使えるのは半角の英字と数字だけです（空白や記号は使えません）",
  letters: "{{field}}に使えるのは半角の英字だけです（数字や記号は使えません）",
  min: "{{field}}は {{n}} 文字以上で入力してください",
  max: "{{field}}は {{n}} 文字以内で入力してください",
  mismatch: "パスワードが一致しません",
  common: "よくあるパスワードの一覧に載っています。別のものを選んでください",
  personal: "名前やアドレスから推測できるパスワードです。別のものを選んでください",
  key: "確認キーを入力してください",
  resendEmail: "確認メールの再送信にはメールアドレスが必要です",
  invalid: "{{field}}が正しくありません",
};
