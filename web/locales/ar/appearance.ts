import type { appearance as english } from "../en/appearance.ts";
import type { Translated } from "../translated.ts";

export const appearance: Translated<typeof english> = {
  kept: "ما تختاره هنا يسري في هذا المتصفح، أيًا كان مستخدمه.",
  theme: {
    title: "السمة",
    legend: "فاتح أو داكن",
    system: "النظام",
    light: "فاتح",
    dark: "داكن",
  },
  contrast: "تباين عالٍ",
  contrastText: "نص وحدود أوضح. عند الإيقاف يُتبع إعداد نظامك.",
  motion: "حركة أقل",
  motionText: "لا شيء ينزلق أو يتلاشى. عند الإيقاف يُتبع إعداد نظامك.",
  reading: {
    title: "القراءة",
    preview: "معاينة",
    question: "لماذا السماء زرقاء؟",
    answer: "يشتّت الهواء الضوء الأزرق أكثر من الأحمر، فيصلك الأزرق من كل جهة.",
    aside: "وفي المساء يطول طريق الضوء عبر الهواء، فيبقى الأحمر.",
    typeface: "خط الردود",
    sans: "Inter",
    serif: "Source Serif",
    size: "حجم النص",
    small: "صغير",
    medium: "متوسط",
    large: "كبير",
    larger: "أكبر",
    wrap: "التفاف أسطر الكود الطويلة",
    wrapText: "يمكن تبديل ذلك لكل مقطع من الكود على حدة.",
  },
  writing: {
    title: "الكتابة",
    legend: "مفتاح الإرسال",
    enter: "Enter للإرسال",
    enterText: "Shift+Enter لبدء سطر جديد.",
    combined: "{{keys}} للإرسال",
    combinedText: "Enter لبدء سطر جديد.",
  },
  reset: {
    title: "إعادة كل شيء كما كان",
    text: "كل ما في هذه الصفحة ما عدا اللغة.",
    button: "إعادة تعيين المظهر",
    done: "أُعيد تعيين المظهر.",
    undo: "تراجع",
  },
};
