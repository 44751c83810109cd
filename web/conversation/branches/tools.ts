/** Lazy module with its own texts. */

import branches from "../../locales/en/branches.json";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";

registerTexts("branches", branches);
registerTexts("replies", replies);

export { AnswerDownload } from "./answer-download.tsx";
export { AnswerTools, RetryMenu } from "./answer-tools.tsx";
export { EditBox, EditButton } from "./edit-box.tsx";
export { QuoteButton } from "./quote-button.tsx";
export { switchBranch } from "./switch-branch.ts";
export { VersionPager } from "./version-pager.tsx";
