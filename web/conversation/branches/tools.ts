/** One part of the script, with its own texts. */

import "../../locales/branches-texts.ts";

export { AnswerTools } from "./answer-tools.tsx";
export { EditBox } from "./edit-box.tsx";
export { EditButton } from "./edit-button.tsx";
export { QuoteButton } from "./quote-button.tsx";
export { switchBranch } from "./switch-branch.ts";
export { VersionPager } from "./version-pager.tsx";
