import { parseSync } from "vite";

type Node = { type: string; start: number; [key: string]: unknown };

/** Attributes that people read or hear, including the props of this project's components with that role. */
const SPOKEN =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|heading|description|summary|hint|note)$/;
/** Two consecutive letters of any script; punctuation, numbers and key names need no translation. */
const WORD = /\p{L}{2}/u;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

function childrenOf(node: object): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** Subexpressions whose values an expression can return or contain. */
function partsOf(node: Node): Node[] {
  const { type, operator, test, left, ...rest } = node;
  if (type === "ConditionalExpression") return childrenOf({ type, ...rest });
  if (type === "LogicalExpression") return childrenOf({ type, ...rest, ...(operator !== "&&" && { left }) });
  if (type === "TemplateLiteral" || (type === "BinaryExpression" && operator === "+")) return childrenOf(node);
  return [];
}

/**
 * Finds text that a component shows or has read out in one language only, as it is not in the catalogue.
 * @param source a module in TSX @returns each text with its line, e.g. `12: Save`
 */
export function bareStrings(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  const found: string[] = [];
  const note = (text: unknown, { start }: Node) => {
    if (typeof text === "string" && WORD.test(text))
      found.push(`${source.slice(0, start).split("\n").length}: ${text.trim()}`);
  };
  /** Reports the literals that an expression can yield; arguments of calls are skipped. */
  const lookInto = (node: Node): void => {
    if (node.type === "Literal") note(node.value, node);
    if (node.type === "TemplateElement") note((node.value as { cooked?: unknown }).cooked, node);
    for (const part of partsOf(node)) lookInto(part);
  };
  const walk = (node: Node, isChild: boolean): void => {
    if (node.type === "JSXText") note(node.value, node);
    if (node.type === "JSXAttribute") {
      const { name, value } = node as Node & { name: { name: string }; value: Node | null };
      if (value && SPOKEN.test(name.name))
        lookInto(value.type === "JSXExpressionContainer" ? (value.expression as Node) : value);
    }
    if (node.type === "JSXExpressionContainer" && isChild) lookInto(node.expression as Node);
    for (const child of childrenOf(node)) walk(child, node.type === "JSXElement" || node.type === "JSXFragment");
  };
  walk(program as unknown as Node, false);
  return found;
}
