import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "الأسعار بالدولار الأمريكي لكل مليون رمز، بحسب ما يعرفه هذا الخادم.",
  demo: "لا مزوّد مهيأ على هذا الخادم. يجيب العرض التجريبي المدمج، أيًا كان النموذج المختار.",
  chosen: {
    title: "نموذج المحادثات الجديدة",
    text: "يجيب ما لم يحدد إعداد مسبق نموذجًا آخر. واختيار نموذج في محادثة يغيّره هنا أيضًا.",
    auto: "تلقائي",
    unavailable: "{{name}} (غير مهيأ)",
  },
  unavailable: "غير مهيأ",
  context: "سياق من {{tokens}} رمز",
  price: "{{input}} للداخل، {{output}} للخارج",
  menus: "في القوائم",
  inMenu: "عرض {{name}} في القوائم",
  always: "نموذج المحادثات الجديدة موجود دائمًا.",
};
