import type { Texts } from "./i18n.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "app";
    resources: Texts;
  }
}
