import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseObject } from "../../reply/reply-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { isFlat } from "./json-table.tsx";
import { ScrollBox } from "./scroll-box.tsx";

/** The arguments of a call as fields. Text that is no object, or that JSON does not represent, is shown as it is. */
export function ToolArguments({ json, label }: { json: string; label: string }) {
  const given = parseObject(json);
  const fields = given ? Object.entries(given) : [["", json] as const];
  if (fields.length === 0) return null;
  return (
    <ReadableJson label={label} json={given ? json : null} className="bg-sunken">
      <JsonFields fields={fields} />
    </ReadableJson>
  );
}

type ReadableJsonProps = {
  label: string;
  /** What the children show, as it was written; null if they show just that. */
  json: string | null;
  className: string;
  children: ReactNode;
};

/** A scrollable box with JSON in a readable form, and a switch that shows how it was written. */
export function ReadableJson({ label, json, className, children }: ReadableJsonProps) {
  const { t } = useTranslation("parts");
  const [isRaw, setRaw] = useState(false);
  const words = t("tools.raw");
  return (
    <div>
      <ScrollBox label={label} className={className}>
        {isRaw && json !== null ? (
          <div dir="ltr" className="whitespace-pre-wrap font-mono text-ink [overflow-wrap:anywhere]">
            {json}
          </div>
        ) : (
          children
        )}
      </ScrollBox>
      {json !== null && (
        <Button
          variant="quiet"
          size="small"
          className="mt-1 font-normal text-muted text-xs aria-pressed:text-accent"
          aria-label={`${words}: ${label}`}
          aria-pressed={isRaw}
          onClick={() => setRaw(!isRaw)}
        >
          {words}
        </Button>
      )}
    </div>
  );
}

/** Returns a value of JSON as a field shows it: a list of flat values in one line. */
export function fieldText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every(isFlat)) return JSON.stringify(value, null, 2);
  return `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;
}

/** Names with their values; a value without a name is shown alone. */
export function JsonFields({ fields }: { fields: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className="grid gap-1">
      {fields.map(([name, value]) => (
        <div key={name} className="min-w-0">
          {name !== "" && (
            <dt className="inline text-muted">
              <bdi>{name}</bdi>
              {": "}
            </dt>
          )}
          <dd className="inline whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">
            <bdi>{fieldText(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
