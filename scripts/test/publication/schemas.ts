import { Ajv, type Schema } from "ajv";

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text, minItems: 1, uniqueItems: true };

/** An object with these properties and no others. */
const exactly = (properties: Record<string, Schema>, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const validations = exactly({ required: { type: "boolean" } }, ["required"]);
const id = { type: "string", pattern: "^[a-z][a-z0-9_-]*$" };
const question = { label: text, description: text };

/** Fields of an issue form by `type`, in the subset that our forms use. */
const field = (type: string, attributes: Schema, isAnswered = true) =>
  exactly(
    { type: { const: type }, attributes, ...(isAnswered && { id, validations }) },
    isAnswered ? ["type", "id", "attributes"] : ["type", "attributes"],
  );

/** Issue form of GitHub (`.github/ISSUE_TEMPLATE/*.yml`). */
export const issueFormSchema: Schema = exactly(
  {
    name: text,
    description: text,
    labels: texts,
    body: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["type"],
        discriminator: { propertyName: "type" },
        oneOf: [
          field("markdown", exactly({ value: text }, ["value"]), false),
          field("input", exactly(question, ["label"])),
          field("textarea", exactly({ ...question, render: text }, ["label"])),
          field("dropdown", exactly({ ...question, options: texts }, ["label", "options"])),
          field(
            "checkboxes",
            exactly(
              {
                ...question,
                options: {
                  type: "array",
                  minItems: 1,
                  items: exactly({ label: text, required: { type: "boolean" } }, ["label"]),
                },
              },
              ["label", "options"],
            ),
          ),
        ],
      },
    },
  },
  ["name", "description", "body"],
);

/** Chooser of issue forms (`.github/ISSUE_TEMPLATE/config.yml`). */
export const issueConfigSchema: Schema = exactly(
  {
    blank_issues_enabled: { type: "boolean" },
    contact_links: {
      type: "array",
      items: exactly({ name: text, url: { type: "string", pattern: "^https://" }, about: text }, [
        "name",
        "url",
        "about",
      ]),
    },
  },
  ["blank_issues_enabled", "contact_links"],
);

const days = { type: "string", pattern: "^\\d+ days$" };

/** `renovate.json`, in the subset that ours uses. */
export const renovateSchema: Schema = exactly(
  {
    $schema: { const: "https://docs.renovatebot.com/renovate-schema.json" },
    extends: texts,
    schedule: texts,
    minimumReleaseAge: days,
    internalChecksFilter: { enum: ["strict", "flexible", "none"] },
    dependencyDashboard: { type: "boolean" },
    vulnerabilityAlerts: exactly({ labels: texts, minimumReleaseAge: { type: "null" } }, []),
    packageRules: {
      type: "array",
      items: exactly(
        {
          description: text,
          matchManagers: texts,
          matchPackageNames: texts,
          matchDepTypes: texts,
          matchUpdateTypes: { ...texts, items: { enum: ["major", "minor", "patch"] } },
          groupName: text,
          allowedVersions: text,
          pinDigests: { type: "boolean" },
          enabled: { type: "boolean" },
        },
        ["description"],
      ),
    },
  },
  ["$schema", "extends", "minimumReleaseAge", "packageRules"],
);

/** Returns a line for each violation of the schema, with the path of the value. */
export function violations(schema: Schema, value: unknown): string[] {
  const isValid = new Ajv({ allErrors: true, discriminator: true }).compile(schema);
  isValid(value);
  return (isValid.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
}
