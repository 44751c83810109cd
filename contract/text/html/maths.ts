/** The MathML elements of answers, in exports and in pages of links. */

/** Elements that KaTeX writes. None of them executes, loads, links or contains HTML. */
export const MATHS_TAGS = [
  ...["math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msup", "msub", "msubsup"],
  ...["mfrac", "msqrt", "mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mlabeledtr"],
  ...["mstyle", "mpadded", "mphantom", "menclose"],
];

const LENGTHS = ["width", "height", "depth", "voffset", "lspace", "rspace", "minsize", "maxsize", "linethickness"];
const FLAGS = ["accent", "accentunder", "displaystyle", "fence", "separator", "stretchy", "symmetric", "largeop"];
const STYLES = ["mathvariant", "mathcolor", "mathbackground", "mathsize", "scriptlevel", "notation", "movablelimits"];
const TABLES = ["columnalign", "columnlines", "columnspacing", "rowlines", "rowspacing", "side"];

const common = [...LENGTHS, ...FLAGS, ...STYLES, ...TABLES];

/** Attributes of {@link MATHS_TAGS}: sizes, colours and alignment. */
export const MATHS_ATTRIBUTES: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(MATHS_TAGS.map((tag) => [tag, common])),
  math: [...common, "xmlns", "display"],
  annotation: ["encoding"],
};
