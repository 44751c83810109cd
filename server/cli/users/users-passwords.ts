import { randomBytes } from "node:crypto";
import { newPasswordField, registerSchema } from "#contract/accounts/accounts.ts";
import { fieldIssues, parseRule, ruleSentence } from "#contract/text/validation.ts";
import { createAccount, setPasswordFor } from "../../accounts/administration/account-lifecycle.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { type Call, type Command, Refusal } from "../command.ts";
import { beginInstallation, openCommandDeps } from "../open-installation.ts";
import { userData, withAccount } from "./users-named.ts";

const GENERATED_BYTES = 15;
const FROM_INPUT =
  "--password-stdin    reads the password from standard input; otherwise one is generated and shown once";

const create: Command = {
  name: "users create",
  usage: "--username NAME --email ADDRESS --firstname NAME --lastname NAME [--password-stdin] [--init]",
  summary: "Creates a verified account, also with closed registration.",
  details: [FROM_INPUT, "--init              creates the installation if there is none, before the first start"],
  options: {
    username: { type: "string" },
    email: { type: "string" },
    firstname: { type: "string" },
    lastname: { type: "string" },
    "password-stdin": { type: "boolean" },
    init: { type: "boolean" },
  },
  async run(call) {
    const { config } = call.configuration();
    const password = await passwordFor(call);
    const given = { username: call.text("username"), email: call.text("email") };
    const names = { firstname: call.text("firstname"), lastname: call.text("lastname") };
    const request = registerSchema(config.passwordMin).safeParse({ ...given, ...names, password: password.text });
    if (!request.success) {
      const problems = fieldIssues(request.error.issues).map((issue) => ruleSentence(issue.field, issue));
      throw new Refusal(`The account cannot be created:\n  ${problems.join("\n  ")}`, "usage");
    }
    await beginInstallation(call);
    await using deps = await openCommandDeps(call);
    call.print(`Creates the account ${request.data.username} for ${request.data.email}.`);
    const user = await createAccount(deps, request.data, commandLine);
    return {
      data: { user: userData(user), ...shown(password) },
      lines: [`${user.username} is created and verified.`, ...linesOf(password)],
    };
  },
};

const resetPassword: Command = {
  name: "users reset-password",
  usage: "USER [--password-stdin] [--yes]",
  summary: "Sets another password for an account and signs it out everywhere; its owner is notified by mail.",
  details: ["USER is a username, an address or an id.", FROM_INPUT],
  options: { "password-stdin": { type: "boolean" } },
  operands: { min: 1, max: 1 },
  run: (call) =>
    withAccount(call, async (deps, user) => {
      await call.confirm(`The password of ${user.username} stops working, and all its sessions end.`);
      const password = await passwordFor(call);
      const field = newPasswordField(deps.config.passwordMin).safeParse(password.text);
      const [issue] = field.success ? [] : field.error.issues;
      if (issue) throw new Refusal(ruleSentence("password", parseRule(issue.message)), "usage");
      await setPasswordFor(deps, user, password.text, commandLine);
      const { id, username } = user;
      return {
        data: { id, username, ...shown(password) },
        lines: [`${username} has a new password.`, ...linesOf(password)],
      };
    }),
};

type Password = { text: string; isMade: boolean };

async function passwordFor(call: Call): Promise<Password> {
  if (!call.has("password-stdin")) return { text: randomBytes(GENERATED_BYTES).toString("base64url"), isMade: true };
  const text = (await call.world.readInput()).replace(/\r?\n$/, "");
  return { text, isMade: false };
}

const shown = ({ text, isMade }: Password) => (isMade ? { password: text } : {});
const linesOf = ({ text, isMade }: Password) => (isMade ? [`Password, shown only once: ${text}`] : []);

export const passwordCommands: readonly Command[] = [create, resetPassword];
