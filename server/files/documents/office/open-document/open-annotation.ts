import { attributeOf } from "../scan-xml.ts";

/** `name`: of the end of the text that it is about, if it says one. */
export type Annotation = { name: string | undefined; author: string; words: string };

/** Reads the comments of an OpenDocument file from the events of its elements. */
export class AnnotationReader {
  #current: Annotation | undefined;
  #part: "author" | "words" | undefined;

  get isOpen(): boolean {
    return this.#current !== undefined;
  }

  /** @returns whether the element belongs to a comment */
  open(name: string, attributes: string): boolean {
    if (name === "office:annotation") {
      this.#current = { name: attributeOf(attributes, "office:name"), author: "", words: "" };
    } else if (!this.#current) return false;
    else if (name === "dc:creator") this.#part = "author";
    else if (name === "text:p" || name === "text:h") this.#part = "words";
    else if (["text:s", "text:tab", "text:line-break"].includes(name)) this.#current.words += " ";
    return true;
  }

  /** @returns the comment that the element ends */
  close(name: string): Annotation | undefined {
    const current = this.#current;
    if (name === "dc:creator") this.#part = undefined;
    else if ((name === "text:p" || name === "text:h") && current) {
      current.words += " ";
      this.#part = undefined;
    }
    if (name !== "office:annotation") return undefined;
    this.#current = undefined;
    return current;
  }

  text(characters: string): void {
    if (this.#current && this.#part) this.#current[this.#part] += characters;
  }
}
