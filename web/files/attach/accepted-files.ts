import { PDF_TYPE, pictureTypes } from "#contract/files/files.ts";

/** Pictures that the browser converts. */
const CONVERTED = "image/avif,image/bmp,image/vnd.microsoft.icon,.ico";
const DOCUMENTS = ".docx,.xlsx,.pptx,.odt,.ods,.odp,.csv,.md,.rtf,.eml,.epub,.ipynb";
/** Endings that a system may have no media type for. */
const CODE =
  ".js,.mjs,.cjs,.jsx,.ts,.mts,.cts,.tsx,.py,.rb,.rs,.go,.java,.kt,.kts,.swift,.c,.h,.cc,.cpp,.hpp,.cs,.php,.pl,.lua," +
  ".r,.jl,.scala,.dart,.sh,.bash,.zsh,.ps1,.sql,.css,.scss,.vue,.svelte,.json,.yaml,.yml,.toml,.xml,.ini,.log,.tex";

/**
 * What the system's picker offers. Pictures by their types: for `image/*`, iOS would not convert HEIC to JPEG. The server
 * decides by content.
 */
export const ACCEPTED_FILES = [...pictureTypes, CONVERTED, PDF_TYPE, DOCUMENTS, "text/*", CODE].join();
