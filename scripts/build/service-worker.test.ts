import type { Rolldown } from "vite";
import { expect, test } from "vitest";
import { whatIsKept } from "./service-worker.ts";

type Made = { imports?: string[]; css?: string[]; modules: string[]; isLater?: boolean };

function chunk(fileName: string, { imports = [], css = [], modules, isLater = false }: Made) {
  const facadeModuleId = modules[0] ?? null;
  const made = { type: "chunk", fileName, imports, moduleIds: modules, facadeModuleId, isDynamicEntry: isLater };
  return { ...made, viteMetadata: { importedCss: new Set(css) } } as unknown as Rolldown.OutputChunk;
}

const asset = (fileName: string, source = "") => ({ type: "asset", fileName, source }) as Rolldown.OutputAsset;

const outputs = [
  chunk("assets/start-1.js", {
    modules: ["/web/main.tsx"],
    imports: ["assets/react-1.js"],
    css: ["assets/start-1.css"],
  }),
  chunk("assets/react-1.js", { modules: ["/node_modules/react.js"] }),
  chunk("assets/chat-1.js", { modules: ["/web/app/chat-page.tsx"], imports: ["assets/start-1.js"], isLater: true }),
  chunk("assets/login-1.js", { modules: ["/web/accounts/sign-in/login-screen.tsx"], isLater: true }),
  chunk("assets/settings-1.js", {
    modules: ["/web/app/settings-page.tsx"],
    imports: ["assets/field-1.js"],
    isLater: true,
  }),
  chunk("assets/field-1.js", { modules: ["/web/ui/field.tsx"] }),
  chunk("assets/de-1.js", { modules: ["/web/locales/de/signed-in.json"], isLater: true }),
  chunk("assets/cobol-1.js", { modules: ["/node_modules/cobol.js"], isLater: true }),
  chunk("assets/common-1.js", { modules: ["/web/accounts/registration/common-passwords.ts"], isLater: true }),
  asset("assets/inter-latin-wght-normal-1.woff2"),
  asset("assets/inter-greek-wght-normal-1.woff2"),
  asset(
    "index.html",
    '<script src="/look.js"></script><script src="/assets/start-1.js"></script><link href="/icon.svg">',
  ),
];

test("the service worker caches the screens with all their chunks, our own lazy modules, and nothing else", () => {
  const kept = whatIsKept(outputs, "/web");
  expect(kept.entry).toBe("/assets/start-1.js");
  expect(kept.shell.toSorted()).toEqual([
    "/assets/chat-1.js",
    "/assets/inter-latin-wght-normal-1.woff2",
    "/assets/login-1.js",
    "/assets/react-1.js",
    "/assets/start-1.css",
    "/assets/start-1.js",
  ]);
  expect(kept.beside).toEqual(["/look.js", "/icon.svg"]);
  expect(kept.parts.toSorted()).toEqual(["/assets/field-1.js", "/assets/settings-1.js"]);
});

test("the service worker fails for a build that lacks a required file", () => {
  for (const name of ["start-1.js", "chat-1.js", "login-1.js", "common-1.js", "latin", "index.html"]) {
    const fewer = outputs.filter(({ fileName }) => !fileName.includes(name));
    expect(() => whatIsKept(fewer, "/web")).toThrow("lacks a file that the service worker knows");
  }
});
