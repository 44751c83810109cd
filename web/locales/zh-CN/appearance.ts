import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "这里的选择对此浏览器生效，无论由谁使用。",
  theme: {
    title: "主题",
    legend: "浅色或深色",
    system: "跟随系统",
    light: "浅色",
    dark: "深色",
  },
  contrast: "高对比度",
  contrastText: "文字和轮廓更清晰。关闭时遵循系统设置。",
  motion: "减少动态效果",
  motionText: "没有滑动或淡入淡出。关闭时遵循系统设置。",
  reading: {
    title: "阅读",
    preview: "预览",
    question: "天空为什么是蓝色的？",
    answer: "空气散射蓝光比红光多，所以蓝光从四面八方到达你的眼睛。",
    aside: "傍晚时光线穿过空气的路程更长，留下的就是红光。",
    typeface: "回答的字体",
    sans: "Inter",
    serif: "Source Serif",
    size: "文字大小",
    small: "小",
    medium: "中",
    large: "大",
    larger: "特大",
    wrap: "代码长行自动换行",
    wrapText: "每段代码仍可单独切换。",
  },
  writing: {
    title: "输入",
    legend: "发送键",
    enter: "按 Enter 发送",
    enterText: "按 Shift+Enter 换行。",
    combined: "按 {{keys}} 发送",
    combinedText: "按 Enter 换行。",
  },
  reset: {
    title: "全部恢复原样",
    text: "此页面上除语言以外的所有设置。",
    button: "重置外观",
    done: "外观已重置。",
    undo: "撤销",
  },
};
