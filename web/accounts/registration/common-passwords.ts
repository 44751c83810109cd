/** The list of common passwords: a piece of its own, which nobody loads who chooses none. */

import { dictionary } from "@zxcvbn-ts/language-common";

const passwords = new Set(dictionary["passwords-common"]);

export const isCommonPassword = (word: string): boolean => passwords.has(word);
