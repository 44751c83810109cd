import "./document.css";
import "./page/page.css";
import { log } from "../log.ts";
import { openLink } from "./open-link.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");
openLink(root).catch((cause: unknown) => {
  log.error("The page of a link failed", cause);
  // Its texts are missing, so that it can only show words of the document.
  root.remove();
  document.getElementById("unloaded")?.removeAttribute("hidden");
});
