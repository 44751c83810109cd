import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "Chat temporal",
  notice: "Este chat no se guarda. Desaparece si sales o recargas la página.",
  notSaved: "No se guarda: desaparece si sales o recargas.",
  keep: "Conservar este chat",
  keeping: "Guardando…",
  beginAnew: "Nuevo chat temporal",
  kept: "Este chat ya está guardado.",
  undo: "Deshacer",
  discarded: "El chat temporal se ha descartado.",
  left: "Has salido del chat temporal. Desaparece si cierras o recargas esta página.",
  lost: "Se perdió la conexión. Una respuesta temporal no se puede retomar. Lo que ya había llegado sigue aquí.",
  failure: "No se pudo guardar este chat. Aquí no se ha perdido nada de él. Inténtalo de nuevo en un momento.",
};
