import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "Preços em dólares americanos por um milhão de tokens, como este servidor os conhece.",
  demo: "Nenhum provedor está configurado neste servidor. A demonstração embutida responde, seja qual for o modelo escolhido.",
  chosen: {
    title: "Modelo para novos chats",
    text: "Ele responde, a menos que uma predefinição traga outro. Ao escolher um em um chat, ele muda aqui também.",
    auto: "Automático",
    unavailable: "{{name}} (não configurado)",
  },
  unavailable: "Não configurado",
  context: "{{tokens}} tokens de contexto",
  price: "{{input}} na entrada, {{output}} na saída",
  menus: "Nos menus",
  inMenu: "Mostrar {{name}} nos menus",
  always: "O modelo para novos chats está sempre lá.",
};
