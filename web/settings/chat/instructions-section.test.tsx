import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { notifyPresetsChanged } from "../../presets/presets-changes.ts";
import { eachTestAlone, openSettings } from "../../testing/open-settings.tsx";

eachTestAlone();

test("instructions that were changed elsewhere are shown", async () => {
  await openSettings("chat", {
    "GET /instructions": [{ json: { instructions: "Old" } }, { json: { instructions: "New" } }],
    "GET /presets": { json: [] },
    "GET /models": { json: [] },
  });
  await waitFor(() => expect(screen.getByDisplayValue("Old")).toBeTruthy());
  act(() => notifyPresetsChanged());
  await waitFor(() => expect(screen.getByDisplayValue("New")).toBeTruthy());
});
