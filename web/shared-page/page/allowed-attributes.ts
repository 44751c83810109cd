import { pageClasses } from "#contract/shares/shared-page.ts";
import { answerAttributes } from "#contract/text/html/elements.ts";
import { MATHS_ATTRIBUTES } from "#contract/text/html/maths.ts";
import { safeLink } from "../../ui/safe-link.ts";

const CODE_LANGUAGE = /^language-[\w+#.-]{1,40}$/;
const classes: ReadonlySet<string> = new Set(pageClasses);

/** Returns the attribute's name in HTML: the server's trees have `className` and `colSpan`. */
export const attributeName = (name: string): string => {
  const lower = name.toLowerCase();
  return lower === "classname" ? "class" : lower;
};

/**
 * Returns the value that an attribute of an allowed element of HTML may have; null if it may have none.
 * @param attribute in lower case
 */
export function htmlValue(element: string, attribute: string, value: string): string | null {
  if (attribute === "class") return allowedClasses(value);
  if (attribute === "href") return element === "a" ? safeLink(value) : null;
  const rules = [...(answerAttributes[element] ?? []), ...(answerAttributes["*"] ?? [])];
  for (const rule of rules) {
    const [name, ...values] = typeof rule === "string" ? [rule] : rule;
    if (name.toLowerCase() !== attribute) continue;
    const isAllowed = values.length === 0 || values.some((each) => isMatch(each, value));
    return isAllowed ? value : null;
  }
  return null;
}

/** As {@link htmlValue}, for an allowed element of MathML. */
export function mathsValue(element: string, attribute: string, value: string): string | null {
  return attribute !== "xmlns" && MATHS_ATTRIBUTES[element]?.includes(attribute) ? value : null;
}

const isMatch = (allowed: string | RegExp, value: string) =>
  typeof allowed === "string" ? allowed === value : allowed.test(value);

function allowedClasses(value: string): string | null {
  const allowed = value.split(/\s+/).filter((name) => classes.has(name) || CODE_LANGUAGE.test(name));
  return allowed.length > 0 ? allowed.join(" ") : null;
}
