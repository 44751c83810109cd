import { attributeOf, scanAddition, withoutElements } from "../scan-xml.ts";

/**
 * Properties of a paragraph or run as they are written; others are undefined. `level`: of a list, from 0 on; `outline`: of
 * a heading, from 0 on; `isHidden` and `isDeleted` are of the mark of a paragraph.
 */
export type Properties = {
  style?: string | undefined;
  numId?: string | undefined;
  level?: number | undefined;
  outline?: number | undefined;
  isHidden?: boolean | undefined;
  isDeleted?: boolean | undefined;
  font?: string | undefined;
};

const isOff = (value: string | undefined) => value !== undefined && ["0", "false", "off"].includes(value);

/** Notes a property by an element of `w:pPr` or `w:rPr` (ECMA-376 part 1, 17.3). */
export function readProperty(properties: Properties, name: string, attributes: string): void {
  const value = attributeOf(attributes, "w:val");
  if (name === "w:pStyle" || name === "w:rStyle") properties.style = value;
  else if (name === "w:numId") properties.numId = value;
  else if (name === "w:ilvl") properties.level = Number(value);
  else if (name === "w:outlineLvl") properties.outline = Number(value);
  else if (name === "w:vanish") properties.isHidden = !isOff(value);
  else if (name === "w:del" || name === "w:moveFrom") properties.isDeleted = true;
  else if (name === "w:rFonts") properties.font = attributeOf(attributes, "w:ascii");
}

type Style = Properties & { basedOn?: string | undefined };

/** Most styles of which one can be the last. */
const MAX_CHAIN = 30;
const HEADING = /^heading ?([1-9])$/i;

/** Returns the level of a heading, from 0 on, by the name of a built-in style, which is English in all languages. */
function outlineByName(name: string): number | undefined {
  if (name.toLowerCase() === "title") return 0;
  const [, level] = HEADING.exec(name) ?? [];
  return level === undefined ? undefined : Number(level) - 1;
}

/** Styles of a Word document. */
export class WordStyles {
  readonly #styles = new Map<string, Style>();
  readonly #resolved = new Map<string, Properties>();
  #normal: string | undefined;

  /** @param xml of `styles.xml`, "" if there is none */
  constructor(xml: string) {
    let style: Style | undefined;
    let id = "";
    const open = (name: string, attributes: string) => {
      if (name === "w:style") {
        style = {};
        id = attributeOf(attributes, "w:styleId") ?? "";
        this.#styles.set(id, style);
        const isDefault = !isOff(attributeOf(attributes, "w:default") ?? "0");
        if (isDefault && attributeOf(attributes, "w:type") === "paragraph") this.#normal = id;
      } else if (!style) return;
      else if (name === "w:name") style.outline ??= outlineByName(attributeOf(attributes, "w:val") ?? "");
      else if (name === "w:basedOn") style.basedOn = attributeOf(attributes, "w:val");
      else readProperty(style, name, attributes);
    };
    const close = (name: string) => {
      if (name === "w:style") style = undefined;
    };
    const handler = { open, close, text: () => undefined };
    scanAddition(
      xml,
      withoutElements(handler, (name) => name === "w:tblStylePr" || name === "w:pPrChange" || name === "w:rPrChange"),
    );
  }

  /** Returns the properties of a style and of those on which it is based. @param id of a paragraph's style, or none */
  ofParagraph(id: string | undefined): Properties {
    return this.of(id ?? this.#normal);
  }

  /** Returns the properties of a style and of those on which it is based. */
  of(id: string | undefined): Properties {
    if (id === undefined) return {};
    const known = this.#resolved.get(id);
    if (known) return known;
    const chain: Style[] = [];
    for (let at: string | undefined = id; at !== undefined && chain.length < MAX_CHAIN; ) {
      const style: Style = this.#styles.get(at) ?? { outline: outlineByName(at) };
      chain.push(style);
      at = style.basedOn;
    }
    const resolved: Properties = {};
    for (const { basedOn: _, ...properties } of chain.reverse()) Object.assign(resolved, definedOf(properties));
    this.#resolved.set(id, resolved);
    return resolved;
  }
}

const definedOf = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));

/** Returns the level of a heading from 1 on, undefined for other paragraphs. */
export function headingLevelOf(own: Properties, style: Properties): number | undefined {
  const outline = own.outline ?? style.outline;
  return outline !== undefined && outline >= 0 && outline <= 8 ? outline + 1 : undefined;
}
