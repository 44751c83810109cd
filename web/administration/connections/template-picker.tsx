import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ConnectionTemplate, connectionTemplates } from "#contract/administration/connection-templates.ts";
import { Field } from "../../ui/components/fields/field.tsx";

type TemplatePickerProps = { onPick: (template: ConnectionTemplate) => void };

/** Choice of the server to connect, in a list that can be searched. */
export function TemplatePicker({ onPick }: TemplatePickerProps) {
  const { t } = useTranslation("connections");
  const [words, setWords] = useState("");
  const nameOf = ({ name }: ConnectionTemplate) => name ?? t("templates.other");
  const searched = words.trim().toLowerCase();
  const found = connectionTemplates.filter((template) => nameOf(template).toLowerCase().includes(searched));
  // A server without a template of its own has the last one.
  const shown = found.length > 0 ? found : connectionTemplates.slice(-1);
  return (
    <div>
      <Field
        label={t("templates.search")}
        type="search"
        autoComplete="off"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          const [only] = shown;
          if (event.key === "Enter") event.preventDefault();
          if (event.key === "Enter" && shown.length === 1 && only) onPick(only);
        }}
      />
      <ul aria-label={t("templates.label")} className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-4">
        {shown.map((template) => (
          <li key={template.id} className={template.name === undefined ? "max-sm:col-span-2" : ""}>
            <button
              type="button"
              onClick={() => onPick(template)}
              className="flex h-full min-h-14 w-full flex-col justify-center rounded-control border border-outline bg-raised px-3 py-2 text-start transition-colors hover:bg-hover active:bg-pressed"
            >
              <span className="font-medium text-sm [overflow-wrap:anywhere]">{nameOf(template)}</span>
              <span className="text-muted text-xs">{t(`templates.key.${template.key}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
