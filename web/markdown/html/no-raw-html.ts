/**
 * Stands in for the package rehype-raw (an alias in vite.config.ts), which Streamdown imports and which brings a whole
 * HTML parser. We never hand it to Streamdown: what is HTML is read in html-reply.tsx, loaded when it is met.
 */
export default function noRawHtml() {
  return () => undefined;
}
