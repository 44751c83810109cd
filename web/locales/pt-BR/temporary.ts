import type { temporary as english } from "../en/temporary.ts";
import type { Translated } from "../translated.ts";

export const temporary: Translated<typeof english> = {
  title: "Chat temporário",
  notice: "Este chat não é salvo. Ele some quando você sai ou recarrega a página.",
  notSaved: "Não é salvo: some quando você sai ou recarrega.",
  keep: "Manter este chat",
  keeping: "Salvando…",
  beginAnew: "Novo chat temporário",
  kept: "Este chat agora está salvo.",
  undo: "Desfazer",
  discarded: "O chat temporário foi descartado.",
  left: "Você saiu do chat temporário. Ele some quando você fecha ou recarrega esta página.",
  lost: "A conexão foi perdida. Uma resposta temporária não pode ser retomada. O que já tinha chegado continua aqui.",
  failure: "Não foi possível salvar este chat. Nada dele se perdeu aqui. Tente de novo daqui a pouco.",
};
