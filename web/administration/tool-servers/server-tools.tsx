import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  AdministeredMcpServer,
  AdministeredTool,
  McpServerChange,
  SavedMcpServer,
} from "#contract/administration/mcp-servers.ts";
import { changedFields, isUnchanged } from "../../forms/changed-fields.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";
import { useHasRole } from "../use-has-role.ts";
import { toolServersApi } from "./tool-servers-api.ts";

/** A longer list can be searched. */
const SEARCHED_FROM = 11;

type ServerToolsProps = {
  server: AdministeredMcpServer;
  onSaved: (saved: SavedMcpServer) => void;
  onCancel: () => void;
};

/** Tools of a server with what each may do, of which an owner chooses those that chats get. */
export function ServerTools({ server, onSaved, onCancel }: ServerToolsProps) {
  const { t } = useTranslation("mcpServers");
  const { slug, name, isFixed, tools, unlistedTools, chosenTools } = server;
  const canChoose = useHasRole("owner") && !isFixed;
  const [chosen, setChosen] = useState(chosenTools);
  // The choice of some tools survives the other choice.
  const [last, setLast] = useState<readonly string[]>(chosenTools ?? tools.map((tool) => tool.name));
  const { run, busy, failure } = useAction<"save">();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const choose = (next: string[]) => {
    setLast(next);
    setChosen(next);
  };
  const save = () =>
    void run("save", async () => {
      const change = changedFields<McpServerChange>({ chosenTools }, { chosenTools: chosen });
      const isSame = isUnchanged(change);
      onSaved(isSame ? { server, check: null } : await withProof(() => toolServersApi.change(slug, change)));
    });
  const kinds = [
    { value: true, title: t("tools.everything"), text: t("tools.everythingText") },
    { value: false, title: t("tools.chosen"), text: t("tools.chosenText") },
  ];
  return (
    <div className="flex flex-col gap-4 p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold text-base">
        {t("tools.label", { name })}
      </h3>
      <FailureBanner failure={failure} />
      {tools.length === 0 && <p className="text-muted">{t("tools.none")}</p>}
      {canChoose && tools.length > 0 && (
        <RadioChoices
          label={t("tools.offer")}
          choices={kinds}
          value={chosen === null}
          onChange={(isAll) => setChosen(isAll ? null : [...last])}
        />
      )}
      <ToolList server={server} chosen={chosen} {...(canChoose && chosen !== null && { onChange: choose })} />
      {unlistedTools > 0 && <p className="text-muted">{t("tools.unlisted", { number: unlistedTools })}</p>}
      {canChoose && tools.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button
            busy={busy !== null}
            aria-disabled={busy !== null || undefined}
            onClick={() => busy === null && save()}
          >
            {busy === null ? t("tools.save") : t("tools.saving")}
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </div>
      )}
    </div>
  );
}

type ToolListProps = {
  server: AdministeredMcpServer;
  /** Null: all. */
  chosen: readonly string[] | null;
  /** Absent: the list is only shown. */
  onChange?: (chosen: string[]) => void;
};

function ToolList({ server, chosen, onChange }: ToolListProps) {
  const { t } = useTranslation("mcpServers");
  const { name, tools, chosenTools } = server;
  const [words, setWords] = useState("");
  const known = new Set(tools.map((tool) => tool.name));
  // Chosen tools that the server does not have any more stay in the list, so that they can be unchosen.
  const gone = onChange ? (chosenTools ?? []).filter((each) => !known.has(each)) : [];
  const all: ListedTool[] = [...tools, ...gone.map((each) => ({ name: each, description: "", effect: null }))];
  const searched = words.trim().toLowerCase();
  const found = all.filter((tool) =>
    `${tool.name} ${tool.title ?? ""} ${tool.description}`.toLowerCase().includes(searched),
  );
  if (all.length === 0) return null;
  const toggle = (tool: string, isChosen: boolean) =>
    onChange?.(isChosen ? [...(chosen ?? []), tool] : (chosen ?? []).filter((each) => each !== tool));
  return (
    <div>
      {all.length >= SEARCHED_FROM && (
        <Field
          label={t("tools.search")}
          type="search"
          autoComplete="off"
          className="mb-3"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      <ul
        aria-label={t("tools.list", { name })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable with the keyboard
        tabIndex={0}
        className="max-h-96 divide-y divide-hairline overflow-y-auto rounded-control border border-hairline"
      >
        {found.map((tool) => (
          <li key={tool.name}>
            <ToolLine
              tool={tool}
              isChosen={chosen === null || chosen.includes(tool.name)}
              {...(onChange && { onToggle: (isChosen: boolean) => toggle(tool.name, isChosen) })}
            />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="mt-2 text-muted">{t("tools.nothing")}</p>}
      {onChange && (
        <p role="status" className="mt-1.5 text-muted text-xs">
          {t("tools.count", { number: chosen?.length ?? 0 })}
        </p>
      )}
    </div>
  );
}

/** `effect`: null for a tool that the server does not have any more. */
type ListedTool = Omit<AdministeredTool, "effect"> & { effect: AdministeredTool["effect"] | null };

type ToolLineProps = {
  tool: ListedTool;
  isChosen: boolean;
  /** Absent: the line has no checkbox. */
  onToggle?: (isChosen: boolean) => void;
};

function ToolLine({ tool: { name, title, description, effect }, isChosen, onToggle }: ToolLineProps) {
  const { t } = useTranslation("mcpServers");
  const id = useId();
  const words = (
    <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span id={id} className={isChosen ? "font-medium" : "font-medium text-muted"}>
          <bdi>{title ?? name}</bdi>
        </span>
        <span className="text-muted text-xs">{effect === null ? t("tools.gone") : t(`tools.effect.${effect}`)}</span>
      </span>
      {description !== "" && (
        <span className="line-clamp-2 text-muted text-xs leading-text">
          <bdi>{description}</bdi>
        </span>
      )}
    </span>
  );
  if (!onToggle) return <div className="px-3 py-2">{words}</div>;
  return (
    <label className="flex min-h-9 cursor-pointer items-start gap-3 px-3 py-2 hover:bg-hover pointer-coarse:min-h-11">
      <input
        type="checkbox"
        aria-labelledby={id}
        checked={isChosen}
        onChange={({ target }) => onToggle(target.checked)}
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
      />
      {words}
    </label>
  );
}
