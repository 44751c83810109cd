import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "价格为此服务器所知的每百万 Token 的美元价格。",
  demo: "此服务器未设置任何提供商。无论选择哪个模型，都由内置的演示助手回答。",
  chosen: {
    title: "新对话的模型",
    text: "除非预设指定了其他模型，否则由它回答。在对话中选择模型也会更改此处。",
    auto: "自动",
    unavailable: "{{name}}（未设置）",
  },
  unavailable: "未设置",
  context: "上下文 {{tokens}} Token",
  price: "输入 {{input}}，输出 {{output}}",
  menus: "在菜单中显示",
  inMenu: "在菜单中显示 {{name}}",
  always: "新对话的模型始终显示。",
};
