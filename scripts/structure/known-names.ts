import type { KnownNames } from "./names.ts";

/** Names that break the rules of names.ts today. The lists may only become shorter. */
export const knownNames: KnownNames = {
  exports: {
    server: [
      "Accounts",
      "Clock",
      "Counted",
      "Letter",
      "ReplyReader",
      "readInstructions",
      "removeAccount",
      "watchRequests",
    ],
    web: [
      ...["Action", "AnswerTools", "DayWords", "EditBox", "EditButton", "Palette", "PresetList", "QuoteButton"],
      ...["VersionPager", "groupByDay", "keepBuild"],
    ],
  },
  files: {
    server: [
      ["command.ts", "commands.ts"],
      ["stop-replies.ts", "stop-reply.ts"],
    ],
    web: [
      ["action.ts", "actions.tsx"],
      ["followed-replies.ts", "followed-reply.ts"],
      ["language.ts", "languages.ts"],
      ["option.tsx", "options.ts"],
    ],
  },
};
