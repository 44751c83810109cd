import { escapeHtml } from "../text/escape-html.ts";

/** Content of one mail, without transport headers. */
export type Letter = {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Main link of the mail; printed on the console if no mail server is configured. */
  link: string;
  /** Text before the link on the console, and a sentence below it. */
  label: string;
  note?: string;
};

/** Recipient of a letter, and the product that sends it. */
export type Recipient = { to: string; productName: string; username: string };

export type LetterParts = {
  to: string;
  productName: string;
  subject: string;
  /** Paragraphs above and below the link. */
  before: string[];
  after: string[];
  action: string;
  link: string;
  /** For the console; by default the subject and the address. */
  label?: string;
  note?: string | undefined;
};

/** Renders the parts of a mail as text and as HTML. */
export function toLetter({ note, ...parts }: LetterParts): Letter {
  const { to, productName, subject, before, after, action, link, label = `${subject} (${to})` } = parts;
  const text = [...before, `${action}:\n${link}`, ...after, `– ${productName}`].join("\n\n");
  const html = toHtml({ productName, subject, before, after, action, link });
  return { to, subject, link, label, text: `${text}\n`, html, ...(note && { note }) };
}

// Mail clients ignore style sheets, so each element has inline styles.
const PAGE = "margin:0;padding:32px 16px;background:#f8f7f4;color:#25221d;font:16px/1.55 system-ui,sans-serif";
const CARD =
  "max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px;border:1px solid #e3e0da";
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#0f6668;color:#ffffff;text-decoration:none";
const SMALL = "margin:16px 0 0;color:#6d6860;font-size:14px";

type HtmlParts = Omit<LetterParts, "to" | "label" | "note">;

function toHtml({ productName, subject, before, after, action, link }: HtmlParts): string {
  const href = escapeHtml(link);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="${PAGE}">
<div style="${CARD}">
<p style="margin:0 0 24px;font-weight:600">${escapeHtml(productName)}</p>
${before.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join("\n")}
<p style="margin:24px 0"><a href="${href}" style="${BUTTON}">${escapeHtml(action)}</a></p>
<p style="${SMALL};word-break:break-all">${href}</p>
${after.map((paragraph) => `<p style="${SMALL}">${escapeHtml(paragraph)}</p>`).join("\n")}
</div>
</body>
</html>
`;
}
