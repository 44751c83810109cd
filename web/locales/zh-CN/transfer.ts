import type { transfer as english } from "../en/transfer.ts";
import type { Translated } from "../translated.ts";

export const transfer: Translated<typeof english> = {
  exportTitle: "导出",
  exportText: "将你的所有对话及其分支、文件夹和预设导出到一个文件，其他程序也能读取。",
  allChats: "一个 JSON 文件",
  exportAll: "导出所有对话",
  exporting: "正在导出…",
  soFar: "已导出 {{size}}",
  exported: "你的对话已保存到文件。",
  stop: "停止",

  importTitle: "导入",
  importText: "从这里或其他服务器导出的文件中导入对话。你已有的内容保持不变。",
  choose: "选择文件",
  drop: "或拖放到这里",
  importing: "正在导入…",
  share: "已完成 {{percent}}",
  imported_zero: "没有新的对话。",
  imported_other: "已导入 {{count}} 个对话。",
  skipped_other: "{{count}} 个对话之前已存在。",
  stopped: "导入已停止。此前已导入的内容会保留。",
  left_other: "{{count}} 个对话无法导入：",
  more_other: "以及另外 {{count}} 个",
  again: "此前已导入的内容会保留。再次选择同一个文件即可继续。",
  reason: {
    broken: "已损坏或不是此格式",
    tree: "其中的消息无法连贯",
    "too-large": "太大",
    quota: "没有剩余空间",
    folder: "无法再添加文件夹，其中的对话不在任何文件夹中",
    preset: "无法再添加预设，其对话不使用预设",
  },
  notAnExport: "这不是导出的对话文件。请选择由这里的“导出”生成的 JSON 文件（格式为“parley-export”）。",
  newerExport: "此文件来自更新的版本。必须先更新此服务器。",
};
