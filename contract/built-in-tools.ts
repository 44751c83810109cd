/** Tools of the server itself, as `server/name`. Their names are translated. */
export const builtInTools = [
  "web/search_web",
  "web/read_page",
  "chats/search_my_chats",
  "files/read_file",
  "files/search_files",
  "basics/calculate",
  "basics/current_time",
  "basics/convert_time",
] as const;
export type BuiltInTool = (typeof builtInTools)[number];

/** Returns the built-in tool of a call; undefined if it is another one. */
export const builtInTool = ({ server, name }: { server: string; name: string }): BuiltInTool | undefined =>
  builtInTools.find((tool) => tool === `${server}/${name}`);
