/** All that can be done, said once: the palette lists it, keys run it, the list of keys names it. */

import type { Action } from "./action.ts";
import { answerActions } from "./answer-actions.ts";
import { chatActions } from "./chat-actions.ts";
import { pageActions } from "./page-actions.ts";

export const actions: readonly Action[] = [...pageActions, ...answerActions, ...chatActions];
