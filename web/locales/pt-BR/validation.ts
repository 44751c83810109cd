import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "{{field}}: campo obrigatório",
  email: "Digite um endereço de e-mail válido",
  alphanumeric: "O nome de usuário só pode ter letras e números (sem espaços nem caracteres especiais)",
  letters: "{{field}}: só letras (sem números nem caracteres especiais)",
  min: "{{field}}: no mínimo {{n}} caracteres",
  max: "{{field}}: no máximo {{n}} caracteres",
  mismatch: "As senhas não coincidem",
  common: "Esta senha está em listas de senhas comuns. Escolha outra",
  personal: "Dá para adivinhar esta senha pelo seu nome ou endereço. Escolha outra",
  key: "Digite o código de verificação",
  resendEmail: "O endereço de e-mail é necessário para reenviar o e-mail de verificação",
  invalid: "{{field}}: valor inválido",
};
