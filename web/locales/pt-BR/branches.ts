import type { branches as english } from "../en/branches.ts";
import type { Translated } from "../translated.ts";

export const branches: Translated<typeof english> = {
  regenerate: "Gerar de novo",
  otherModel: "Gerar de novo com outro modelo",
  edit: "Editar",
  editing: {
    label: "Editar mensagem",
    hint: "Ao enviar, começa uma nova versão. O que foi dito antes continua lá.",
    send: "Enviar",
  },
  versions: "Versões",
  version: "Versão {{n}} de {{count}}",
  previous: "Versão anterior",
  next: "Próxima versão",
  quote: "Citar",
  failure: "Não foi possível mostrar esta versão. Tente de novo.",
};
