import type { validationTemplates } from "#contract/validation.ts";
import type { Translated } from "../translated.ts";

export const validation: Translated<typeof validationTemplates> = {
  required: "{{field}}: campo obligatorio",
  email: "Escribe una dirección de correo válida",
  alphanumeric: "El nombre de usuario solo puede tener letras y números (sin espacios ni caracteres especiales)",
  letters: "{{field}}: solo letras (sin números ni caracteres especiales)",
  min: "{{field}}: al menos {{n}} caracteres",
  max: "{{field}}: como máximo {{n}} caracteres",
  mismatch: "Las contraseñas no coinciden",
  common: "Esta contraseña está en las listas de contraseñas comunes. Elige otra, por favor",
  personal: "Esta contraseña se puede adivinar a partir de tu nombre o dirección. Elige otra, por favor",
  key: "Escribe el código de verificación",
  resendEmail: "Hace falta la dirección de correo para reenviar el correo de verificación",
  invalid: "{{field}}: valor no válido",
};
