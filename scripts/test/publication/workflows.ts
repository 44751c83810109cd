import { existsSync, readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import type { NoOperationTraceWriter as Trace } from "@actions/workflow-parser";
import { parse } from "yaml";
import { root } from "../../child.mjs";

// The parser imports JSON without the attribute that Node requires.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
hooks.deregister();

type Step = { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> };
type Permissions = Record<string, string>;
export type Job = {
  uses?: string;
  steps?: Step[];
  permissions?: Permissions;
  "timeout-minutes"?: number;
  container?: string | { image: string; options?: string };
  services?: Record<string, { image: string }>;
  env?: Record<string, string>;
};
export type Workflow = {
  /** Name of the file in `.github/workflows`. */
  file: string;
  text: string;
  on: Record<string, unknown>;
  permissions?: Permissions;
  jobs: Record<string, Job>;
};

const FOLDER = join(root, ".github", "workflows");

/** Reads a workflow from its text. */
export const workflowOf = (file: string, text: string): Workflow => ({ file, text, ...parse(text) });

/** Reads all workflows of the repository. */
export const readWorkflows = (): Workflow[] =>
  readdirSync(FOLDER).map((file) => workflowOf(file, readFileSync(join(FOLDER, file), "utf8")));

/** Returns the problems that the parser of GitHub Actions finds: schema, expressions, cron, references of jobs. */
export async function parserProblems({ file, text }: Workflow): Promise<string[]> {
  const trace: Trace = new NoOperationTraceWriter();
  const { context, value } = parseWorkflow({ name: file, content: text }, trace);
  if (value !== undefined && context.errors.count === 0) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

/** Returns the steps of all jobs. */
export const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps ?? []);

/** Returns the lines with an action of another repository that is not pinned by its commit, with its version behind. */
export const unpinnedActions = ({ text }: Workflow): string[] =>
  (text.match(/^.*\buses:.*$/gm) ?? [])
    .map((line) => line.trim())
    .filter((line) => !/uses: (?:[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\S+)$/.test(line));

/**
 * Returns the problems of permissions: a workflow without them, one that grants more than reading to all of its jobs,
 * and a checkout that leaves its token in the folder.
 */
export function permissionProblems(workflow: Workflow): string[] {
  const { file, permissions, text } = workflow;
  const granted = Object.entries(permissions ?? {}).map(([name, value]) => `${name}: ${value}`);
  const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  return [
    ...(granted.join() === "contents: read"
      ? []
      : [`${file} grants all of its jobs: ${granted.join(", ") || "everything"}`]),
    ...(/\bwrite-all\b/.test(text) ? [`${file} grants write-all`] : []),
    ...checkouts
      .filter((step) => step.with?.["persist-credentials"] !== false)
      .map(() => `${file} has a checkout that persists its token`),
  ];
}

/**
 * Returns the scripts that have an expression in them, and events that give a foreign pull request the secrets.
 * Expressions are replaced before the shell reads the script, so that a title or branch name could add commands;
 * variables (`env`) are not.
 */
export function injectionProblems(workflow: Workflow): string[] {
  const scripts = stepsOf(workflow).flatMap(({ run }) => run ?? []);
  const events = Object.keys(workflow.on).filter((name) => ["pull_request_target", "workflow_run"].includes(name));
  return [
    ...scripts
      .filter((script) => script.includes("${{"))
      .map((script) => `${workflow.file}: an expression in ${script}`),
    ...events.map((name) => `${workflow.file} runs on ${name}`),
  ];
}

/** Returns the commands of a workflow that do not exist: scripts of package.json, and files of the repository. */
export function missingCommands(workflow: Workflow): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const text = stepsOf(workflow)
    .flatMap(({ run }) => run ?? [])
    .join("\n");
  const called = [...text.matchAll(/\bnpm (?:run )?(?!ci\b|install\b)([\w:-]+)/g)].map((match) => match[1] ?? "");
  const files = [
    ...[...text.matchAll(/(?:^|\bnode |[ \n])(\.?[\w-]+\/[\w./-]*[\w*.-]+)/g)].map((match) => match[1] ?? ""),
    ...Object.values(workflow.jobs).flatMap(({ uses }) => uses ?? []),
  ].map((path) => path.replace(/\/?\*\S*$/, ""));
  return [
    ...called.filter((name) => scripts[name] === undefined).map((name) => `npm run ${name}`),
    ...files.filter((path) => !existsSync(join(root, path))),
  ];
}
