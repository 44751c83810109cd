import { expect, it } from "vitest";
import { problemsOf } from "../../testing/config/problems-of.ts";
import { parseConfig } from "./config.ts";

it.each([
  [{}, undefined],
  [{ SEARCH_URL: "http://searxng:8080/" }, { kind: "searxng", address: "http://searxng:8080" }],
  [{ SEARCH_ENGINE: "brave", SEARCH_KEY: "BSA-1" }, { kind: "brave" }],
  [
    { SEARCH_ENGINE: "tavily", SEARCH_KEY: "tvly-1", SEARCH_URL: "https://gateway.test/tavily" },
    { kind: "tavily", address: "https://gateway.test/tavily" },
  ],
])("reads the search engine of %j", (env, engine) => {
  expect(parseConfig(env).config.searchEngine).toEqual(engine);
});

it.each([
  [{ SEARCH_ENGINE: "searxng" }, "SEARCH_URL is required with SEARCH_ENGINE=searxng"],
  [{ SEARCH_ENGINE: "brave" }, "SEARCH_KEY is required with SEARCH_ENGINE=brave"],
  [{ SEARCH_KEY: "tvly-1" }, "SEARCH_ENGINE or SEARCH_URL is required with SEARCH_KEY"],
  [{ SEARCH_ENGINE: "google" }, "SEARCH_ENGINE must be one of searxng, brave, tavily"],
  [{ SEARCH_URL: "searxng:8080" }, "SEARCH_URL must be a URL with http or https, without a user name and a password"],
  [
    { SEARCH_URL: "http://me:hidden@searxng" },
    "SEARCH_URL must be a URL with http or https, without a user name and a password",
  ],
  [{ SEARCH_URL: "http://searxng", SEARCH_KEY: "a b" }, "SEARCH_KEY has characters that no key has"],
])("refuses the search engine of %j", (env, problem) => {
  expect(problemsOf(env)).toEqual([problem]);
});
