/** List of common passwords: a separate chunk, loaded only when a password is chosen. */

import { dictionary } from "@zxcvbn-ts/language-common";

const passwords = new Set(dictionary["passwords-common"]);

export const isCommonPassword = (word: string): boolean => passwords.has(word);
