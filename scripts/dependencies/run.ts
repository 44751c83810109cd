// `node scripts/dependencies/run.ts` prints the weights of the packages; --write updates docs/dependencies.md.
import { readReasons, rewriteDocument, totals } from "./document.ts";
import { closureOf, direct, megabytesOf } from "./tree.ts";

const reasons = readReasons();
const weighed = direct.runTime
  .map((name) => ({ name, paths: closureOf(name) }))
  .map(({ name, paths }) => ({ name, count: paths.length - 1, megabytes: megabytesOf(paths) }))
  .sort((a, b) => b.megabytes - a.megabytes);
for (const { name, count, megabytes } of weighed) {
  const reason = reasons.has(name) ? "" : "  (no row in docs/dependencies.md)";
  console.log(`${megabytes.toFixed(1).padStart(6)} MB  ${name}, which brings ${count}${reason}`);
}
console.log(totals());
if (process.argv.includes("--write")) rewriteDocument();
