import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "行号",
  formula: "公式",
  diagram: {
    view: "显示图表",
    source: "显示源代码",
    copy: "复制源代码",
    enlarge: "放大",
    failed: "无法绘制此图表。以下是其源代码。",
    notShown: "无法绘制此图表。",
    long: "此图表太大，无法绘制。以下是其源代码。",
    again: "重试",
    kinds: {
      architecture: "架构图",
      block: "框图",
      c4: "C4 图",
      class: "类图",
      er: "实体关系图",
      flowchart: "流程图",
      gantt: "甘特图",
      gitGraph: "Git 图",
      journey: "用户旅程图",
      kanban: "看板",
      mindmap: "思维导图",
      other: "图表",
      pie: "饼图",
      quadrantChart: "四象限图",
      requirement: "需求图",
      sankey: "桑基图",
      sequence: "时序图",
      state: "状态图",
      timeline: "时间线",
      xychart: "数据图",
    },
  },
};
