/** Stable error codes and their English sentences. */

import { entrySentences } from "./entry-errors.ts";

/**
 * The sentence of each stable error code. The server sends it as `detail`. The browser uses it in its English catalogue
 * and translates the code into other languages.
 */
export const errorSentences = {
  ...entrySentences,
  "second-factor-on": "The second factor is on already.",
  "second-factor-off": "This account has no second factor.",
  "too-many-passkeys": "You have reached the limit of passkeys. Please remove one first.",
  "method-not-allowed": "This address does not accept this method.",
  "not-permitted": "Your account may not do this. Please ask an administrator.",
  "last-owner": "This is the only owner left. Please make another account an owner first.",
  "proof-needed": "Please confirm that it is you.",
  "wrong-password": "That is not your password.",
  "last-sign-in": "Please set a password first: otherwise nobody could sign in to this account any more.",
  "tool-sign-in-denied": "The sign-in was refused there.",
  "tool-sign-in-expired": "This sign-in took too long. Please begin again.",
  "tool-sign-in-elsewhere": "This sign-in was begun in another session.",
  "tool-sign-in-failed": "The sign-in failed. Please begin again.",
  "tool-sign-in-unsupported": "This tool server offers no sign-in that works here.",
  "tool-server-away": "The tool server does not answer. Please try again later.",
  "budget-reached": "The budget of this month is used up. New replies are possible again on the first of next month.",
  "budget-reserved": "The rest of the budget is reserved for replies that are being written. Please try again soon.",
  "model-unknown": "This model does not exist here. Please choose another one.",
  "model-unavailable": "This model is not set up on this server. Please choose another one.",
  "preset-gone": "This preset no longer exists.",
  "too-many-presets": "You have reached the limit of presets. Please delete one first.",
  "too-many-tool-servers": "You have reached the limit of servers. Please delete one first.",
  "reply-running": "The assistant is still writing. Please wait until it has finished.",
  "conversation-moved": "This chat has newer messages. Please read them, then send again.",
  "already-decided": "This was decided already, or the chat has gone on.",
  "nothing-to-answer": "There is nothing here that could be answered again.",
  "nothing-to-continue": "There is nothing here that could be continued.",
  "nothing-to-share": "There is nothing in this chat yet that could be shared.",
  "share-too-large": "This chat is too large for a link. You can export it instead.",
  "sharing-off": "Your account cannot share chats by links. Please ask an administrator.",
  "too-many-shares": "You have reached the limit of links. Please revoke one first.",
  "too-many-replies": "Other replies are still being written. This one starts when one of them has finished.",
  "folder-gone": "This folder no longer exists.",
  "too-many-folders": "You have reached the limit of folders. Please delete one first.",
  "idempotency-mismatch": "This request was already made with different content.",
  "quota-reached":
    "This chat, or all that you have stored, is as large as it can be: begin a new chat, or delete chats to make room.",
  "message-too-long": "This message is too long. Please shorten it.",
  "too-large": "That is too large.",
  "files-off": "Files cannot be attached on this server.",
  "file-too-large": "This file is too large.",
  "file-empty": "This file is empty.",
  "file-type":
    "Files of this kind cannot be attached. These can: JPEG, PNG, WebP, GIF, PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), OpenDocument, RTF, EPUB, mails (.eml), Jupyter notebooks, text and source code.",
  "file-broken": "This file is damaged, or is not what its name says.",
  "picture-too-large": "This picture has too many pixels. Please make it smaller.",
  "file-gone": "An attached file is no longer here. Please attach it again.",
  "file-sent": "This file belongs to a message.",
  "too-many-files": "Too many files are attached. Please remove some.",
  "files-too-large":
    "The files of a temporary chat can have 20 MB in all. Please remove some, save the chat, or begin a new one.",
  "document-too-large": "This is too long for a Word document. Please save it as Markdown or HTML.",
  "upload-moved": "The upload has another length than expected. Please try again.",
  "not-an-export":
    "This is not a file of exported chats. The server accepts a JSON file created by “Export”; its format is “parley-export”. Exports of ChatGPT, Claude, Open WebUI and LibreChat are imported on the page “Data” of the settings.",
  "newer-export": "This file was made by a newer version. Please update this server first.",
  "unsupported-media-type": "This address accepts JSON only.",
  "assistant-busy": "The assistant is busy right now. Please try again in a moment.",
  "assistant-refused": "The assistant declined to answer this.",
  "assistant-called-tools": "The model wanted to use a tool that is not offered here, and wrote no answer.",
  "assistant-too-long": "This conversation is too long for the model. Please start a new chat or shorten your message.",
  "assistant-misconfigured": "The assistant cannot answer right now. The administrator can put that right.",
  "assistant-no-credit":
    "The assistant cannot answer right now: no credit is left at its provider. The administrator can add some.",
  "assistant-model-gone": "The provider no longer has this model. Please choose another one.",
  "assistant-unsuited":
    "The provider refuses the settings of this model. Choose another model, or tell the administrator.",
  "assistant-unreachable": "This model does not answer at the moment. Please try again soon, or choose another one.",
  "assistant-stalled": "The assistant stopped answering. Please try again.",
  "assistant-broken-off": "The answer broke off. Please try again.",
  "assistant-failed": "The assistant could not answer. Please try again.",
} as const;

export type ErrorCode = keyof typeof errorSentences;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorSentences, code);
