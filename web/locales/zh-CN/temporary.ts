import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "临时对话",
  notice: "此对话不会保存，离开或重新加载后就会消失。",
  notSaved: "不会保存：离开或重新加载后消失。",
  keep: "保留此对话",
  keeping: "正在保留…",
  beginAnew: "新的临时对话",
  kept: "此对话现已保存。",
  undo: "撤销",
  discarded: "临时对话已丢弃。",
  left: "你已离开临时对话。关闭或重新加载此页面后，它就会消失。",
  lost: "连接已断开。临时回答无法恢复。已收到的内容仍在这里。",
  failure: "无法保存此对话。这里的内容没有丢失。请稍后重试。",
};
