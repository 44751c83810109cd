import "./alerts.css";
import type { Element } from "hast";
import { Info, Lightbulb, MessageSquareWarning, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type AlertKind, alertKinds, markAlerts } from "#contract/text/alerts.ts";

/** Tag name of an alert. A reply's own text cannot create this element. */
export const ALERT_TAG = "reply-alert";

const icons = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
  caution: OctagonAlert,
} satisfies Record<AlertKind, unknown>;

type Tree = Parameters<typeof markAlerts>[0];

/** Remark plugin for GitHub's alerts. Must run before line breaks become nodes. */
export const remarkAlerts = () => (tree: Tree, file: { value: unknown }) =>
  markAlerts(tree, String(file.value), (quote, kind) =>
    Object.assign(quote, { data: { hName: ALERT_TAG, hProperties: { kind } } }),
  );

type ReplyAlertProps = { node?: Element | undefined; children?: ReactNode };

/** A GitHub alert: a block with a rule, an icon and the translated name of its kind. */
export function ReplyAlert({ node, children }: ReplyAlertProps) {
  const { t } = useTranslation("replies");
  const kind = alertKinds.find((known) => known === node?.properties.kind) ?? "note";
  const Icon = icons[kind];
  return (
    <div role="note" dir={String(node?.properties.dir ?? "auto")} className={`reply-alert reply-alert-${kind}`}>
      <p className="reply-alert-title">
        <Icon aria-hidden="true" />
        {/* Isolated, so that the direction of the alert is that of its own text. */}
        <bdi>{t(`alerts.${kind}`)}</bdi>
      </p>
      {children}
    </div>
  );
}
