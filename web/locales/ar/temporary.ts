import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "محادثة مؤقتة",
  notice: "هذه المحادثة غير محفوظة، وتختفي عند المغادرة أو إعادة التحميل.",
  notSaved: "غير محفوظة: تختفي عند المغادرة أو إعادة التحميل.",
  keep: "حفظ هذه المحادثة",
  keeping: "جارٍ الحفظ…",
  beginAnew: "محادثة مؤقتة جديدة",
  kept: "هذه المحادثة محفوظة الآن.",
  undo: "تراجع",
  discarded: "تم التخلص من المحادثة المؤقتة.",
  left: "غادرت المحادثة المؤقتة. ستختفي إذا أغلقت هذه الصفحة أو أعدت تحميلها.",
  lost: "انقطع الاتصال. لا يمكن استئناف رد مؤقت. ما وصل منه ما زال هنا.",
  failure: "تعذّر حفظ هذه المحادثة. لم يُفقد منها شيء هنا. يُرجى المحاولة بعد قليل.",
};
