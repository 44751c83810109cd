import type { KnownNames } from "./names.ts";

/** Names that break the rules of names.ts today. The lists may only become shorter. */
export const knownNames: KnownNames = {
  exports: {
    server: [],
    web: [
      ...["Action", "AnswerTools", "DayWords", "EditBox", "EditButton", "Palette", "PresetList", "QuoteButton"],
      ...["VersionPager", "groupByDay", "keepBuild"],
    ],
  },
  files: {
    server: [],
    web: [
      ["action.ts", "actions.tsx"],
      ["followed-replies.ts", "followed-reply.ts"],
      ["language.ts", "languages.ts"],
      ["option.tsx", "options.ts"],
    ],
  },
};
