import { parseObject } from "../../reply/reply-text.ts";
import { ScrollBox } from "./scroll-box.tsx";

/** The arguments of a call as fields. Text that is no object, or that JSON does not represent, is shown as it is. */
export function ToolArguments({ json, label }: { json: string; label: string }) {
  const given = parseObject(json);
  const fields = given ? Object.entries(given) : [["", json] as const];
  if (fields.length === 0) return null;
  return (
    <ScrollBox label={label} className="bg-sunken">
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
              <bdi>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </ScrollBox>
  );
}
