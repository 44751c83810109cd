import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "重新生成",
  otherModel: "用其他模型重新生成",
  edit: "编辑",
  editing: {
    label: "编辑消息",
    hint: "发送后会开始一个新版本，之前的内容仍会保留。",
    send: "发送",
  },
  versions: "版本",
  version: "第 {{n}} 个版本，共 {{count}} 个",
  previous: "上一个版本",
  next: "下一个版本",
  quote: "引用",
  failure: "无法显示此版本。请重试。",
};
