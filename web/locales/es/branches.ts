import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "Regenerar",
  otherModel: "Regenerar con otro modelo",
  edit: "Editar",
  editing: {
    label: "Editar mensaje",
    hint: "Al enviar empieza una nueva versión. Lo dicho antes se conserva.",
    send: "Enviar",
  },
  versions: "Versiones",
  version: "Versión {{n}} de {{count}}",
  previous: "Versión anterior",
  next: "Versión siguiente",
  quote: "Citar",
  failure: "No se pudo mostrar esta versión. Inténtalo de nuevo.",
};
