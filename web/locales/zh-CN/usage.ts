import type { usage as english } from "../en/usage.ts";
import type { Translated } from "../translated.ts";

export const usage: Translated<typeof english> = {
  title: "用量",
  months: "月份",
  text: "回答、标题和临时对话对模型的用量，按自然月（UTC）统计。",
  monthLabel_other: "{{month}}：{{count}} 次调用，{{cost}}",
  model: "模型",
  calls: "调用次数",
  input: "输入 Token",
  output: "输出 Token",
  cost: "费用",
  total: "合计",
  callCount_other: "{{count}} 次调用",
  empty: "这个月没有用量。",
  emptyText: "模型回答你之后，这里会显示用量。",
  about: "≈ 表示估算值：模型提供商没有说明 Token 数量。",
  unpriced: "– 表示此服务器不知道价格的模型。",
  priced: "费用按 {{date}} 的公开价格计算，以提供商的实际收费为准。",
  partly: "以及没有价格的模型",
  demo: "演示助手",

  ofAnswer: "此回答的用量",
  time: "用时",
  none: "没有此回答的用量信息。",
  failed: "无法加载。",
  loading: "正在加载…",
  seconds: "{{seconds}} 秒",
};
