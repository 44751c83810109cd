import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "再生成",
  otherModel: "別のモデルで再生成",
  edit: "編集",
  editing: {
    label: "メッセージを編集",
    hint: "送信すると新しいバージョンが始まります。以前のやり取りは残ります。",
    send: "送信",
  },
  versions: "バージョン",
  version: "バージョン {{n}} / {{count}}",
  previous: "前のバージョン",
  next: "次のバージョン",
  quote: "引用",
  failure: "このバージョンを表示できませんでした。もう一度お試しください。",
};
