import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "أرقام الأسطر",
  formula: "صيغة",
  diagram: {
    view: "عرض المخطط",
    source: "عرض المصدر",
    copy: "نسخ المصدر",
    enlarge: "تكبير",
    failed: "تعذّر رسم هذا المخطط. هذا مصدره.",
    notShown: "تعذّر رسم هذا المخطط.",
    long: "هذا المخطط أكبر من أن يُرسم. هذا مصدره.",
    again: "إعادة المحاولة",
    kinds: {
      architecture: "مخطط معماري",
      block: "مخطط كتلي",
      c4: "مخطط C4",
      class: "مخطط الأصناف",
      er: "مخطط علاقات الكيانات",
      flowchart: "مخطط انسيابي",
      gantt: "مخطط غانت",
      gitGraph: "رسم Git",
      journey: "رحلة المستخدم",
      kanban: "لوحة كانبان",
      mindmap: "خريطة ذهنية",
      other: "مخطط",
      pie: "مخطط دائري",
      quadrantChart: "مخطط رباعي",
      requirement: "مخطط المتطلبات",
      sankey: "مخطط سانكي",
      sequence: "مخطط التسلسل",
      state: "مخطط الحالات",
      timeline: "خط زمني",
      xychart: "رسم بياني",
    },
  },
};
