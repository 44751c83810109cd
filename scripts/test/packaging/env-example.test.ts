import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { variableNames } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";

const example = readFileSync(join(root, ".env.example"), "utf8").replaceAll(/^#(?=[A-Z_]+=)/gm, "");
const deployment = readFileSync(join(root, "docs", "deployment.md"), "utf8");
/** The content that the document suggests for /etc/parley.env. */
const [, chosen = ""] = /```sh\n(PUBLIC_URL=.*?)```/s.exec(deployment) ?? [];

/** Returns the environment of a program after a shell has read settings as the header of .env.example describes. */
function readByShell(settings: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "parley-env-"));
  try {
    writeFileSync(join(folder, ".env"), settings);
    const { stdout, stderr, status } = spawnSync("/bin/sh", ["-ec", "set -a; . ./.env; set +a; exec env -0"], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      encoding: "utf8",
    });
    expect([stderr, status]).toEqual(["", 0]);
    return Object.fromEntries(stdout.split("\0").map((line) => line.split(/=(.*)/s, 2)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns name and unquoted value of each assignment, as systemd and Compose read them. */
const settingsOf = (text: string) =>
  [...text.matchAll(/^([A-Z_]+)=(?:"([^"$`\\]*)"|(.*))$/gm)].map(([, name = "", quoted, bare = ""]) => [
    name,
    quoted ?? bare,
  ]);

test.each([
  [".env.example with every setting uncommented", example, 40],
  ["the settings that docs/deployment.md chooses", chosen, 5],
])("%s mean the same to a shell as to systemd and Compose", (_, text, atLeast) => {
  const settings = settingsOf(text);
  expect(settings.length).toBeGreaterThan(atLeast);
  expect(readByShell(text)).toMatchObject(Object.fromEntries(settings));
  for (const [name] of settings) expect(variableNames).toContain(name);
});

test("a sender with a display name can be set", () => {
  expect(readByShell(example).MAIL_FROM).toBe("Parley <no-reply@example.org>");
});
