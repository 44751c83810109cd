import type { models as english } from "../en/models.ts";
import type { Translated } from "../translated.ts";

export const models: Translated<typeof english> = {
  text: "Precios en dólares estadounidenses por un millón de tokens, según los conoce este servidor.",
  demo: "En este servidor no hay ningún proveedor configurado. Responde la demo incluida, sea cual sea el modelo elegido.",
  chosen: {
    title: "Modelo para nuevos chats",
    text: "Responde él, salvo que un preajuste traiga otro. Si eliges uno en un chat, también cambia aquí.",
    auto: "Automático",
    unavailable: "{{name}} (no configurado)",
  },
  unavailable: "No configurado",
  context: "{{tokens}} tokens de contexto",
  price: "{{input}} de entrada, {{output}} de salida",
  menus: "En menús",
  inMenu: "Mostrar {{name}} en los menús",
  always: "El modelo para nuevos chats siempre está.",
};
