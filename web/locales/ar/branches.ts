import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "إعادة التوليد",
  otherModel: "إعادة التوليد بنموذج آخر",
  edit: "تعديل",
  editing: {
    label: "تعديل الرسالة",
    hint: "الإرسال يبدأ نسخة جديدة، وما قيل من قبل يبقى.",
    send: "إرسال",
  },
  versions: "النسخ",
  version: "النسخة {{n}} من {{count}}",
  previous: "النسخة السابقة",
  next: "النسخة التالية",
  quote: "اقتباس",
  failure: "تعذّر عرض هذه النسخة. يُرجى المحاولة من جديد.",
};
