/** Registry of all actions: source of the palette, the shortcuts and the list of shortcuts. */

import type { Action } from "./action.ts";
import { answerActions } from "./answer-actions.ts";
import { chatActions } from "./chat-actions.ts";
import { pageActions } from "./page-actions.ts";

export const actions: readonly Action[] = [...pageActions, ...answerActions, ...chatActions];
