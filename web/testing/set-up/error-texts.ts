/** Set-up file of web tests: registers the sentences of errors, as each page behind the sign-in does. */

import { errorSentences } from "#contract/errors.ts";
import { registerTexts } from "../../locales/i18n.ts";

registerTexts("errors", errorSentences);
