import { childrenOf, nameOf, type XmlElement, type XmlNode, xmlText } from "./xml-nodes.ts";

/** Room that Word shows as an empty box has this character without width. */
const NOTHING = "\u200b";
const QUAD = "\u2003";

const SCRIPTS = new Set(["m:sSub", "m:sSup", "m:sSubSup"]);
/** Elements that contain a formula of their own. */
const ARGUMENTS = new Set(["m:e", "m:sub", "m:sup", "m:lim", "m:num", "m:den"]);

const BRACKETS = new Map(Object.entries({ "(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉" }));
const CLOSING = new Set(BRACKETS.values());

/** Double-struck letters of Unicode's Basic Multilingual Plane, which need no property of their run. */
const DOUBLE_STRUCK = new Map(Object.entries({ C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" }));

const attribute = (name: string, value: string | number): XmlElement => ({ [name]: { _attr: { "m:val": value } } });
const run = (text: string, properties: readonly XmlNode[] = []): XmlElement => ({
  "m:r": [
    ...(properties.length > 0 ? [{ "m:rPr": properties }] : []),
    { "m:t": [{ _attr: { "xml:space": "preserve" } }, text] },
  ],
});
/** A run that is text within a formula. */
const plainRun = (text: string): XmlElement => run(text, [attribute("m:nor", 1)]);

/**
 * Returns the content of an equation without what Word shows as an empty box, and LibreOffice as an error or as another
 * operator.
 */
export function simplifyMaths(nodes: readonly XmlNode[]): XmlNode[] {
  return withOperands(nodes.flatMap(simplify));
}

function simplify(node: XmlNode): XmlNode[] {
  const name = nameOf(node);
  if (typeof node === "string" || !Array.isArray(node[name]))
    return name === "m:e" ? [{ [name]: [run(NOTHING)] }] : [node];
  if (name === "m:r") return [runOf(node)];
  if (name === "m:eqArr") return [arrayOf(node)];
  const children = childrenOf(node).flatMap(simplify);
  if (ARGUMENTS.has(name)) return [{ [name]: withOperands(children) }];
  const contentOf = (wanted: string) => childrenOf(children.find((each) => nameOf(each) === wanted));
  const isUnlimited = (name === "m:limUpp" || name === "m:limLow") && xmlText(contentOf("m:lim")).trim() === "";
  if (isUnlimited) return [...contentOf("m:e")];
  return SCRIPTS.has(name) && contentOf("m:e").every(isInvisible)
    ? scriptsAlone(name, children)
    : [{ [name]: children }];
}

/** LibreOffice shows an error for these operators where they lack an operand. */
function withOperands(nodes: readonly XmlNode[]): XmlNode[] {
  const [first, last] = [nodes[0], nodes.at(-1)];
  const before = first !== undefined && /^\s*[=<>/*]/.test(mathsOf(first)) ? [run(NOTHING)] : [];
  const after = last !== undefined && /[=<>/*+-]\s*$/.test(mathsOf(last)) ? [run(NOTHING)] : [];
  return [...before, ...withTextMarks(nodes), ...after];
}

/**
 * Returns nodes with bars, and brackets that have no counterpart among them, as text: LibreOffice reads a bar as an
 * operator, and shows an error for such a bracket.
 */
function withTextMarks(nodes: readonly XmlNode[]): XmlNode[] {
  const texts = nodes.map(mathsOf);
  const marks = new Set<string>();
  const open: { mark: string; close: string }[] = [];
  for (const [index, text] of texts.entries()) {
    for (const [at, character] of [...text].entries()) {
      const mark = `${index} ${at}`;
      const close = BRACKETS.get(character);
      if (close !== undefined) open.push({ mark, close });
      else if (open.at(-1)?.close === character) open.pop();
      else if (character === "|") marks.add(mark);
      // Half-open intervals such as `[0, 1)`.
      else if (CLOSING.has(character)) for (const each of [mark, open.pop()?.mark ?? mark]) marks.add(each);
    }
  }
  for (const { mark } of open) marks.add(mark);
  if (marks.size === 0) return [...nodes];
  return nodes.flatMap((node, index) => splitRun(node, texts[index] ?? "", (at) => marks.has(`${index} ${at}`)));
}

/** Returns the pieces of a run, the characters for which `isText` as text. */
function splitRun(node: XmlNode, text: string, isText: (at: number) => boolean): XmlNode[] {
  const characters = [...text];
  if (!characters.some((_, at) => isText(at))) return [node];
  const pieces: XmlNode[] = [];
  let piece = "";
  const flush = () => {
    if (piece !== "") pieces.push(run(piece, propertiesOf(node)));
    piece = "";
  };
  for (const [at, character] of characters.entries()) {
    if (isText(at)) {
      flush();
      pieces.push(plainRun(character));
    } else piece += character;
  }
  flush();
  return pieces;
}

const propertiesOf = (node: XmlNode): readonly XmlNode[] =>
  childrenOf(childrenOf(node).find((child) => nameOf(child) === "m:rPr"));

const hasProperty = (node: XmlNode, name: string): boolean => propertiesOf(node).some((each) => nameOf(each) === name);

/** Returns the text of a run that is no plain text. */
const mathsOf = (node: XmlNode): string =>
  nameOf(node) === "m:r" && !hasProperty(node, "m:nor") ? xmlText([node]) : "";

/** Returns a run without marks that LibreOffice reads as an operator, and in letters of Unicode that it shows. */
function runOf(node: XmlElement): XmlNode {
  const text = mathsOf(node);
  if (hasProperty(node, "m:lit")) return plainRun(text);
  const letters = hasProperty(node, "m:scr") ? doubleStruck(node, text) : null;
  return letters === null ? node : run(letters, [attribute("m:sty", "p")]);
}

/** @returns null for a run in another script, or with other letters */
function doubleStruck(node: XmlElement, text: string): string | null {
  const script = propertiesOf(node).find((each) => nameOf(each) === "m:scr");
  const letters = Array.from(text, (letter) => DOUBLE_STRUCK.get(letter));
  const isKnown = JSON.stringify(script) === JSON.stringify(attribute("m:scr", "double-struck"));
  return isKnown && letters.every((letter) => letter !== undefined) ? letters.join("") : null;
}

/** Returns whether a node only takes the room of a letter, as the bases of scripts of mhchem do. */
const isInvisible = (node: XmlNode): boolean => nameOf(node) === "m:phant";

/** Returns scripts without a visible base; none if they are invisible too. */
function scriptsAlone(name: string, children: readonly XmlNode[]): XmlNode[] {
  const visible = children.map((child) => {
    if (nameOf(child) === "m:e") return { "m:e": [run(NOTHING)] };
    const content = childrenOf(child);
    return content.length > 0 ? { [nameOf(child)]: content.filter((each) => !isInvisible(each)) } : child;
  });
  return xmlText(visible).replaceAll(NOTHING, "") === "" ? [] : [{ [name]: visible }];
}

/**
 * Returns an array of equations as a matrix if it has columns, because LibreOffice shows the marks between them. Numbers
 * of equations are text.
 */
function arrayOf(array: XmlElement): XmlElement {
  const rows = childrenOf(array)
    .filter((child) => nameOf(child) === "m:e")
    .map(cellsOf);
  const columns = Array.from({ length: Math.max(...rows.map((cells) => cells.length)) }, (_, index) => index);
  const argument = (cell: readonly XmlNode[] = []) => ({ "m:e": cell.length === 0 ? [run(NOTHING)] : cell });
  if (columns.length === 1) return { "m:eqArr": rows.map(([cell]) => argument(cell)) };
  const alignments = columns.map((index) => ({
    "m:mc": [{ "m:mcPr": [attribute("m:count", 1), attribute("m:mcJc", index % 2 === 0 ? "right" : "left")] }],
  }));
  const properties = [attribute("m:baseJc", "center"), attribute("m:plcHide", 1), { "m:mcs": alignments }];
  return {
    "m:m": [
      { "m:mPr": properties },
      ...rows.map((cells) => ({ "m:mr": columns.map((index) => argument(cells[index])) })),
    ],
  };
}

/** Returns the cells of a row of an array of equations. */
function cellsOf(row: XmlNode): XmlNode[][] {
  const cells: XmlNode[][] = [[]];
  for (const node of childrenOf(row)) {
    if (isMark(node, "&")) cells.push([]);
    else cells.at(-1)?.push(isMark(node, "#") ? plainRun(QUAD) : node);
  }
  return cells.map(simplifyMaths);
}

/** Returns whether a run is a mark of an array of equations, not the character itself. */
const isMark = (node: XmlNode, mark: string): boolean =>
  nameOf(node) === "m:r" && childrenOf(node).length === 1 && xmlText([node]) === mark;
