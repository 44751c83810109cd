const FILLING = "The sea was calm that day, and nothing happened.\n";

/**
 * Returns a text of as many sections as `read_file` counts, or one more. `sentences`: what the middle of a section (from
 * 1) has beside filling words.
 */
export function wordsOfPages(sections: number, sentences: Readonly<Record<number, string>> = {}): string {
  let text = "";
  const fill = (length: number) => {
    while (text.length + FILLING.length <= length) text += FILLING;
  };
  for (let section = 1; section <= sections; section++) {
    fill((section - 0.5) * 10_000);
    text += `${sentences[section] ?? "Nothing."}\n`;
    fill(section * 10_000);
  }
  return text;
}
