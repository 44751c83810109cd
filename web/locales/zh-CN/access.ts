import type { access as english } from "../en/access.ts";
import type { Translated } from "../translated.ts";

export const access: Translated<typeof english> = {
  title: "无障碍",
  promise:
    "{{product}} 的设计让每个人都能使用：用鼠标、触摸、仅用键盘、用屏幕阅读器、放大显示或高对比度。它按照《Web 内容无障碍指南》（WCAG）2.2 的 AA 级要求构建。",
  does: {
    title: "你可以放心的是",
    keyboard: "一切都可以用键盘完成，获得焦点的元素会清楚显示。按 ? 键可查看所有快捷键，按 F6 可转到通知并返回。",
    spoken: "回答到达时，会逐句告知屏幕阅读器，不会打断。",
    seen: "正文对比度至少为 7:1，旁注至少为 4.5:1。设置中有高对比度外观（两者均为 7:1）、更大的回答文字和减少动态的外观；系统的偏好会自动遵循。",
    zoom: "在 200% 缩放和 320 px 宽的屏幕上，内容都不会被截断；除表格和代码外，无需横向滚动阅读。",
    touch: "需要用手指点按的目标，宽和高都至少为 44 px。",
    languages: "页面支持八种语言，其中一种从右向左书写。",
  },
  tested: {
    title: "如何测试",
    text: "每次更改时，自动检查会用 axe 在浅色和深色外观下检查每个页面的各种状态，并仅用键盘、在手机屏幕上、200% 缩放和 320 px 宽度下，以及在加大字母、单词和行间距时完成主要任务。对比度由颜色本身计算得出。",
  },
  limits: {
    title: "尚不完善之处",
    answers: "助手写的内容由它自己决定：其中的表格、标题和公式可能不规范。",
    diagrams: "回答中的图表是图片；可以改为以文本显示其源代码。",
    google: "“使用 Google 登录”按钮由 Google 提供。使用密码登录则不需要它。",
    screenReaders: "目前尚未与日常使用屏幕阅读器的人士一起进行过测试。",
  },
  contact: {
    title: "遇到障碍了吗？",
    text: "请告知此服务器的运营者，他们可以转告开发者。最有帮助的是说明你尝试了什么，以及使用的浏览器和辅助工具。",
  },
  reviewed: "最近审阅：{{date}}。",
  back: "返回",
};
