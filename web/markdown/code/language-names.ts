/** What languages are called where their tag does not say it as people write it. Others keep their tag. */
const NAMES =
  "bash sh shell zsh:Shell|c:C|cpp c++:C++|cs csharp:C#|css:CSS|csv:CSV|dart:Dart|diff:Diff|docker dockerfile:Dockerfile|" +
  "elixir ex:Elixir|fs fsharp:F#|go golang:Go|graphql gql:GraphQL|haskell hs:Haskell|html:HTML|http:HTTP|ini:INI|" +
  "java:Java|javascript js mjs cjs:JavaScript|json:JSON|jsonc:JSON with comments|jsx:JSX|julia jl:Julia|" +
  "kotlin kt:Kotlin|latex tex:LaTeX|less:Less|lua:Lua|make makefile:Makefile|markdown md:Markdown|matlab:MATLAB|" +
  "mermaid:Mermaid|nginx:nginx|objc objective-c:Objective-C|perl pl:Perl|php:PHP|powershell ps1:PowerShell|" +
  "python py:Python|r:R|ruby rb:Ruby|rust rs:Rust|scala:Scala|scss:SCSS|sql:SQL|svelte:Svelte|svg:SVG|swift:Swift|" +
  "terraform hcl tf:Terraform|toml:TOML|tsx:TSX|typescript ts mts cts:TypeScript|vue:Vue|xml:XML|yaml yml:YAML|zig:Zig";

const names = new Map(
  NAMES.split("|").flatMap((entry) => {
    const [tags = "", name = ""] = entry.split(":");
    return tags.split(" ").map((tag) => [tag, name] as const);
  }),
);

/** @param tag as it stands behind the marks of a fence, in small letters */
export const languageName = (tag: string): string => names.get(tag) ?? tag;
