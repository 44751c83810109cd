import { chatgpt } from "./chatgpt/chatgpt.ts";
import { claude } from "./claude/claude.ts";
import type { Converter } from "./foreign-chat.ts";
import { librechat } from "./librechat/librechat.ts";
import { openWebui } from "./open-webui/open-webui.ts";

/** The services whose exports can be imported. */
export const converters: readonly Converter[] = [chatgpt, claude, openWebui, librechat];
