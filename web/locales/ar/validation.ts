import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "يُرجى إدخال {{field}}",
  email: "يُرجى إدخال بريد إلكتروني صالح",
  alphanumeric: "يجب ألّا يحتوي اسم المستخدم إلا على أحرف لاتينية وأرقام (دون مسافات أو رموز خاصة)",
  letters: "يجب ألّا يحتوي {{field}} إلا على أحرف لاتينية (دون أرقام أو رموز خاصة)",
  min: "يجب ألّا يقل عدد أحرف {{field}} عن {{n}}",
  max: "يجب ألّا يزيد عدد أحرف {{field}} على {{n}}",
  mismatch: "كلمتا المرور غير متطابقتين",
  common: "كلمة المرور هذه ضمن قوائم الكلمات الشائعة. يُرجى اختيار غيرها",
  personal: "يمكن تخمين كلمة المرور هذه من اسمك أو بريدك. يُرجى اختيار غيرها",
  key: "يُرجى إدخال مفتاح التحقق",
  resendEmail: "يلزم البريد الإلكتروني لإعادة إرسال رسالة التحقق",
  invalid: "قيمة {{field}} غير صالحة",
};
