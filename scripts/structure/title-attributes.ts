// Tooltips are one component (web/ui/tooltips): the browser's own cannot be reached by keyboard or shown with a key.
import { type SourceFile, type SyntaxNode, syntaxTreeOf, walk } from "./source-files.ts";

type Element = { name: { type: string; name?: string }; attributes: { name?: { name?: string } }[] };

/** Whether an element of HTML has the attribute. The title of a frame is its accessible name. */
function hasTitle(node: SyntaxNode): boolean {
  if (node.type !== "JSXOpeningElement") return false;
  const { name, attributes } = node as SyntaxNode & Element;
  const isHtml = name.type === "JSXIdentifier" && /^[a-z]/.test(name.name ?? "");
  return isHtml && name.name !== "iframe" && attributes.some((attribute) => attribute.name?.name === "title");
}

/** Returns a sentence for each file of `web/` with a `title` attribute. The types of components refuse it elsewhere. */
export function titleProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (file.isTest || !file.path.startsWith("web/") || !file.text.includes("title=")) return [];
    let count = 0;
    walk(syntaxTreeOf(file), (node) => {
      if (hasTitle(node)) count += 1;
    });
    return count === 0 ? [] : [`${file.path} has a title attribute. Use tooltip() of web/ui/tooltips/tooltip.ts.`];
  });
}
