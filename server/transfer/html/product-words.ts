import type { Text } from "hast";
import type { PagePhrase } from "#contract/shares/shared-page.ts";
import type { AlertKind } from "#contract/text/alerts.ts";

declare module "hast" {
  interface TextData {
    /** The text is a phrase of the product, which shared pages show in the reader's language. */
    phrase?: PagePhrase;
  }
}

const productText = (value: string, phrase: PagePhrase): Text => ({ type: "text", value, data: { phrase } });

const alertTitles: Record<AlertKind, string> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};

/** Returns the title of an alert. */
export const alertTitle = (kind: AlertKind): Text => productText(alertTitles[kind], kind);

/** Returns the caption of a diagram: without a script there is nothing that could draw it. */
export const diagramCaption = (): Text => productText("Diagram (Mermaid source)", "diagram");

/** Returns the summary of a disclosure that has none. */
export const disclosureSummary = (): Text => productText("Details", "details");
