import type { usage as english } from "../en/usage.ts";
import type { Translated } from "../translated.ts";

export const usage: Translated<typeof english> = {
  title: "Consumo",
  months: "Meses",
  text: "O que respostas, títulos e chats temporários consumiram dos modelos, por mês (UTC).",
  monthLabel_one: "{{month}}: {{count}} chamada, {{cost}}",
  monthLabel_many: "{{month}}: {{count}} de chamadas, {{cost}}",
  monthLabel_other: "{{month}}: {{count}} chamadas, {{cost}}",
  model: "Modelo",
  calls: "Chamadas",
  input: "Tokens de entrada",
  output: "Tokens de saída",
  cost: "Custo",
  total: "Total",
  callCount_one: "{{count}} chamada",
  callCount_many: "{{count}} de chamadas",
  callCount_other: "{{count}} chamadas",
  empty: "Nada foi consumido neste mês.",
  emptyText: "Quando um modelo responder a você, o consumo aparecerá aqui.",
  about: "≈ é uma estimativa: o provedor do modelo não informou quantos tokens foram.",
  unpriced: "– indica modelos cujo preço este servidor não conhece.",
  priced: "Custos segundo preços de tabela de {{date}}. Vale o que o provedor cobra.",
  partly: "e modelos sem preço",
  demo: "Assistente de teste",

  ofAnswer: "Consumo desta resposta",
  time: "Tempo",
  none: "Não se sabe o que esta resposta consumiu.",
  failed: "Não foi possível carregar.",
  loading: "Carregando…",
  seconds: "{{seconds}} s",
};
