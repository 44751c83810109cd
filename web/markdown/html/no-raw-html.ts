/**
 * Stub that replaces the package rehype-raw (an alias in vite.config.ts), which Streamdown imports and which contains a
 * whole HTML parser. It is never used as a plugin: html-reply.tsx parses HTML replies and is loaded on demand.
 */
export default function noRawHtml() {
  return () => undefined;
}
