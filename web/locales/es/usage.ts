import type { usage as english } from "../en/usage.ts";
import type { Translated } from "../translated.ts";

export const usage: Translated<typeof english> = {
  title: "Consumo",
  months: "Meses",
  text: "Lo que las respuestas, los títulos y los chats temporales consumieron de los modelos, por mes (UTC).",
  monthLabel_one: "{{month}}: {{count}} llamada, {{cost}}",
  monthLabel_many: "{{month}}: {{count}} de llamadas, {{cost}}",
  monthLabel_other: "{{month}}: {{count}} llamadas, {{cost}}",
  model: "Modelo",
  calls: "Llamadas",
  input: "Tokens de entrada",
  output: "Tokens de salida",
  cost: "Costo",
  total: "Total",
  callCount_one: "{{count}} llamada",
  callCount_many: "{{count}} de llamadas",
  callCount_other: "{{count}} llamadas",
  empty: "En este mes no se consumió nada.",
  emptyText: "Cuando un modelo te haya respondido, aquí verás lo que consumió.",
  about: "≈ es una estimación: el proveedor del modelo no indicó cuántos tokens fueron.",
  unpriced: "– indica modelos cuyo precio este servidor no conoce.",
  priced: "Costos según precios de lista al {{date}}. Lo que vale es lo que cobra el proveedor.",
  partly: "y modelos sin precio",
  demo: "Asistente de prueba",

  ofAnswer: "Consumo de esta respuesta",
  time: "Tiempo",
  none: "No se sabe qué consumió esta respuesta.",
  failed: "No se pudo cargar.",
  loading: "Cargando…",
  seconds: "{{seconds}} s",
};
