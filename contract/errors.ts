/** Answers of failed calls: problem documents, error codes and their English sentences. */

import * as z from "zod/mini";

/**
 * The sentence of each stable error code. The server sends it as `detail`. The browser uses it in its English catalogue
 * and translates the code into other languages.
 */
export const errorSentences = {
  "invalid-input": "Please check what you entered.",
  "not-signed-in": "Please sign in.",
  "wrong-credentials": "The username or password is not right.",
  "email-unverified": "Please verify your email address first.",
  "second-factor-needed": "This account needs a second step: a code of its authenticator app.",
  "second-factor-missing": "This account needs a second factor. Please sign in with a browser to set it up.",
  "second-step-expired": "This sign-in took too long. Please begin again.",
  "wrong-code": "That code is not right, or was used already.",
  "codes-unreadable": "The server cannot check codes of your app any more. Please use a recovery code.",
  "second-factor-on": "The second factor is on already.",
  "second-factor-off": "This account has no second factor.",
  "bad-passkey": "This passkey could not be used. Please try again, or sign in another way.",
  "passkeys-unavailable": "This server’s address allows no passkeys.",
  "too-many-passkeys": "You have reached the limit of passkeys. Please remove one first.",
  "second-factor-required": "Your account must have a second factor, so it cannot be switched off.",
  "enrolment-expired": "This took too long. Please begin again with a new QR code.",
  "account-disabled": "This account has been disabled. Please ask the administrator.",
  csrf: "This page was open for a long time. Please try again.",
  "not-found": "There is nothing here.",
  "method-not-allowed": "This address does not accept this method.",
  "username-taken": "This username is already taken.",
  "registration-closed": "New accounts are not open here. Please ask the administrator.",
  "registration-domain": "New accounts need an address of another domain here. Please ask the administrator.",
  "bad-key": "This verification key is not valid or has expired.",
  "already-verified": "This address is already verified. Please sign in.",
  "bad-link": "This link is not valid or has expired. Please ask for a new one.",
  "bad-invitation": "This invitation is not valid any more. Please ask for a new one.",
  "bad-class-code": "This code is not valid. Please compare it with the board, or ask for a new one.",
  "invitation-address": "This invitation is for another email address. Please use the address that was invited.",
  "address-taken": "Another account now uses this address. Change that account’s address, then open this link again.",
  "not-permitted": "Your account may not do this. Please ask an administrator.",
  "last-owner": "This is the only owner left. Please make another account an owner first.",
  "proof-needed": "Please confirm that it is you.",
  "wrong-password": "That is not your password.",
  "google-taken": "This Google account is connected to another account here.",
  "google-connected": "A Google account is connected already. Please disconnect it first.",
  "last-sign-in": "Please set a password first: otherwise nobody could sign in to this account any more.",
  "bad-google-token": "Google sign-in did not work. Please try again.",
  "connect-google": "An account with this email address exists already. Please sign in with your password.",
  "google-domain": "This Google account does not belong to the organisation of this server. Please use another one.",
  "google-unavailable": "Google sign-in is not available right now. Please try again later or use your password.",
  "bad-sso-answer": "The sign-in by your provider could not be confirmed. Please try again.",
  "sso-unavailable": "The sign-in provider is not available right now. Please try again later.",
  "sso-no-address":
    "The sign-in provider gave no email address, which an account needs. Please tell your administrator.",
  "sso-only": "Please sign in by your organisation’s provider.",
  "connect-identity":
    "An account with this email address exists already. Please sign in to it, then connect your provider in the settings.",
  "identity-taken": "This identity is connected to another account here.",
  "identity-connected": "An identity of this provider is connected already. Please disconnect it first.",
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
  "upload-moved": "The upload has another length than expected. Please try again.",
  "not-an-export":
    "This is not a file of exported chats. The server accepts a JSON file created by “Export”; its format is “parley-export”. Exports of ChatGPT, Claude, Open WebUI and LibreChat are imported on the page “Data” of the settings.",
  "newer-export": "This file was made by a newer version. Please update this server first.",
  "unsupported-media-type": "This address accepts JSON only.",
  "work-needed": "There were many wrong passwords in your network. Please wait a little.",
  "too-many-requests": "Too many requests. Please wait a little.",
  unavailable: "The service is not available right now. Please try again in a moment.",
  "storage-full": "The server has no room left to store this. Please tell the administrator.",
  draining: "The server is restarting. Please try again in a moment.",
  internal: "Something went wrong on our side. Please try again.",
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

export const problemMediaType = "application/problem+json";

const errorCode = z.enum(Object.keys(errorSentences) as [ErrorCode, ...ErrorCode[]]);

/**
 * Body of every failed call. `issues` names the invalid fields of a 400 with the rule that each breaks. `file`: id of
 * the file that was refused, of several in one request.
 */
export const problemSchema = z.object({
  detail: z.union([
    z.string(),
    z.object({ message: z.string(), email_verified: z.literal(false) }),
    z.object({ message: z.string(), second_factor: z.literal(true) }),
  ]),
  error: z.string(),
  code: errorCode,
  /** Of a sign-in that needs a second step, or a second factor. */
  ticket: z.optional(z.string()),
  file: z.optional(z.string()),
  issues: z.optional(
    z.array(z.object({ field: z.string(), rule: z.string(), n: z.optional(z.number()), message: z.string() })),
  ),
});
export type Problem = z.infer<typeof problemSchema>;
