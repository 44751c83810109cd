import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Cmd, Copy, DockerfileParser, Env, From, Healthcheck, type Instruction } from "dockerfile-ast";
import { root } from "../../child.mjs";

/** `from`: the stage from which files are copied; undefined for the repository. */
export type CopiedFiles = { from: string | undefined; sources: string[]; target: string };

/** One build stage: its name, its base image, its copied files and its instructions. */
export type Stage = { name: string | undefined; base: string; copies: CopiedFiles[]; instructions: Instruction[] };

/** Properties of a container of the image. */
export type Image = {
  stages: Stage[];
  last: Stage;
  env: Record<string, string>;
  command: string[];
  healthCheck: string[];
};

export const dockerfileText = readFileSync(join(root, "Dockerfile"), "utf8");

/** @throws if a command is not a JSON list; another form would run in a shell */
export function readDockerfile(): Image {
  const dockerfile = DockerfileParser.parse(dockerfileText);
  const stages: Stage[] = [];
  for (const instruction of dockerfile.getInstructions()) {
    if (instruction instanceof From) {
      const { baseName, name } = { baseName: instruction.getImage() ?? "", name: instruction.getBuildStage() };
      stages.push({ name: name ?? undefined, base: baseName, copies: [], instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    stage?.instructions.push(instruction);
    if (instruction instanceof Copy) stage?.copies.push(copied(instruction));
  }
  const last = stages.at(-1);
  if (!last) throw new Error("The Dockerfile has no FROM");
  return { stages, last, env: environmentOf(last), command: commandOf(last), healthCheck: healthCheckOf(last) };
}

/** Owner, group and mode of the data folder in the image. */
export function dataFolderOf({ last }: Image): { owner: string; group: string; mode: number; path: string } {
  const text = last.instructions.map((one) => one.getRawArgumentsContent() ?? "").join("\n");
  const pattern = /install --directory --owner=(\w+) --group=(\w+) --mode=([0-7]+) (\S+)/;
  const [, owner = "", group = "", mode = "", path = ""] = pattern.exec(text) ?? [];
  return { owner, group, mode: Number.parseInt(mode, 8), path };
}

/** Returns the arguments of an instruction that occurs once in a stage. */
export function wordsAfter(stage: Stage, keyword: string): string | undefined {
  const found = stage.instructions.filter((instruction) => instruction.getKeyword() === keyword);
  return found.length === 1 ? found[0]?.getArgumentsContent()?.trim() : undefined;
}

function copied(instruction: Copy): CopiedFiles {
  const words = instruction.getArguments().map((word) => word.getValue());
  return {
    from: instruction.getFromFlag()?.getValue() ?? undefined,
    sources: words.slice(0, -1),
    target: words.at(-1) ?? "",
  };
}

function environmentOf(stage: Stage): Record<string, string> {
  const properties = stage.instructions.flatMap((one) => (one instanceof Env ? one.getProperties() : []));
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getValue() ?? ""]));
}

const wordsOf = (text: string): string[] => JSON.parse(text);

function commandOf(stage: Stage): string[] {
  const command = stage.instructions.find((one) => one instanceof Cmd);
  return wordsOf(command?.getArgumentsContent() ?? "");
}

function healthCheckOf(stage: Stage): string[] {
  const check = stage.instructions.find((one) => one instanceof Healthcheck);
  return wordsOf(/CMD\s+(\[.*\])\s*$/s.exec(check?.getRawArgumentsContent() ?? "")?.[1] ?? "");
}
