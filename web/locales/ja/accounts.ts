import type { accounts as english } from "../en/accounts.ts";
import type { Translated } from "../translated.ts";

export const accounts: Translated<typeof english> = {
  or: "または",
  showPassword: "文字を表示",
  hidePassword: "文字を隠す",

  login: {
    title: "{{product}} チャットにログイン",
    subtitle: "おかえりなさい。アカウントにログインしてください。",
    username: "ユーザー名",
    usernamePlaceholder: "ユーザー名を入力",
    password: "パスワード",
    passwordPlaceholder: "パスワードを入力",
    submit: "ログイン",
    submitting: "ログイン中…",
    failed: "ログインできませんでした",
    googleFailed: "Google でログインできませんでした",
    googleUnavailable: "Google のボタンを読み込めませんでした。パスワードでログインできます。",
    googleSigningIn: "Google でログイン中…",
    newHere: "初めてご利用ですか？",
    createAccount: "アカウントを作成",
    forgot: "パスワードをお忘れですか？",
    orReset: "または新しいパスワードを設定",
    kept: "アカウントはそのまま残ります。削除されません。",
  },

  forgot: {
    title: "パスワードをお忘れですか？",
    text: "メールアドレスまたはユーザー名を入力してください。新しいパスワードを設定するリンクをお送りします。",
    field: "メールアドレスまたはユーザー名",
    submit: "リンクを送信",
    submitting: "送信中…",
    failed: "リンクを送信できませんでした",
    back: "ログインに戻る",
    sentTitle: "メールをご確認ください",
    nothingCame: "数分たっても届きませんか？迷惑メールフォルダーを確認するか、",
    again: "もう一度送信してください",
  },

  reset: {
    title: "新しいパスワードを設定",
    text: "すべてのデバイスからログアウトされます。その後、新しいパスワードでログインしてください。",
    password: "新しいパスワード",
    confirmPassword: "パスワード（確認）",
    submit: "パスワードを設定",
    submitting: "パスワードを設定中…",
    failed: "パスワードを設定できませんでした",
    missingText:
      "このページにはメールのリンクが必要で、再読み込みすると失われます。リンクをもう一度開くか、新しいリンクをリクエストしてください。",
    deadText: "リンクが無効か、期限切れか、すでに使用されています。新しいリンクをリクエストしてください。",
    newLink: "新しいリンクを取得",
    doneTitle: "パスワードを設定しました",
    stillSignedIn: "このブラウザーでは {{username}} としてログインしています。",
    toChats: "チャットへ移動",
  },

  link: {
    deadTitle: "このリンクはもう使えません",
    missingTitle: "リンクをもう一度開いてください",
    missingText:
      "このページにはメールのリンクが必要で、再読み込みすると失われます。完了の表示をまだ見ていない場合は、メールのリンクをもう一度開いてください。",
    failed: "このリンクを開けませんでした",
    retry: "再試行",
    toChats: "チャットへ移動",
    toSignIn: "ログインへ移動",
    toSettings: "設定へ移動",
  },

  confirmEmail: {
    title: "新しいメールアドレス",
    working: "確認しています…",
    doneTitle: "メールアドレスを確認しました",
    doneText: "今後、アカウントに関するメールは新しいアドレスに届きます。",
    doneElsewhere:
      "リクエストしたときとは別のブラウザーで開いた場合、すべてのデバイスからログアウトされ、Google との連携も解除されています。もう一度ログインしてください。メールでパスワードの確認をお願いすることがあります。",
    nextChats: "チャットへ移動",
    nextSignIn: "ログインへ移動",
    deadText: "リンクが無効か、期限切れか、すでに使用されています。設定から新しいリンクをリクエストできます。",
  },

  undoEmail: {
    title: "以前のメールアドレス",
    working: "アカウントのアドレスを元に戻しています…",
    doneTitle: "メールアドレスを元に戻しました",
    doneText:
      "アカウントのアドレスが以前のものに戻り、すべてのデバイスからログアウトされました。古いパスワードを誰かに知られている可能性があるため、今すぐ新しいパスワードを設定してください。",
    next: "新しいパスワードを設定",
    deadText:
      "リンクが無効か、期限切れか、すでに使用されています。別の人がアドレスを変更した場合は、管理者に連絡してください。",
  },

  advice: {
    common: "このパスワードは、真っ先に試されるよくあるパスワードの一覧に載っています。別のもののほうが安全です。",
    personal: "このパスワードは名前やアドレスから推測できます。別のもののほうが安全です。",
  },

  register: {
    title: "アカウントを作成",
    firstname: "名",
    lastname: "姓",
    username: "ユーザー名",
    email: "メールアドレス",
    password: "パスワード",
    confirmPassword: "パスワード（確認）",
    submit: "アカウントを作成",
    submitting: "アカウントを作成中…",
    failed: "登録できませんでした",
    doneTitle: "登録が完了しました",
    doneText: "メールを確認し、確認リンクをクリックしてアカウントを有効にしてください。",
    doneAction: "ログインへ移動",
    haveAccount: "アカウントをお持ちですか？",
    signIn: "ログインはこちら",
  },

  verify: {
    title: "メールアドレスの確認",
    sentTo: "次のアドレスに届いた確認キーを入力してください：",
    fromEmail: "メールに記載された確認キーを入力してください",
    key: "確認キー",
    submit: "メールアドレスを確認",
    submitting: "確認中…",
    failed: "メールアドレスを確認できませんでした",
    doneTitle: "メールアドレスを確認しました",
    doneText: "アカウントが有効になりました。チャットへ移動しています…",
    notReceived: "メールが届きませんか？",
    resend: "確認メールを再送信",
    resending: "送信中…",
    resendFailed: "確認メールを再送信できませんでした",
    already: "確認がお済みですか？",
    signIn: "ログインはこちら",
  },

  fields: {
    firstname: "名",
    lastname: "姓",
    username: "ユーザー名",
    email: "メールアドレス",
    password: "パスワード",
    confirmPassword: "パスワード（確認）",
    emailOrUsername: "メールアドレスまたはユーザー名",
    key: "キー",
  },
};
