import { test } from "./chat-screen.ts";

const OUT = process.env.SHOTS ?? "/tmp/shots";
test.setTimeout(300_000);
test("tour", async ({ chat, page }) => {
  const call = <T>(m: string, p: string, b?: unknown) => chat.call<T>(m, p, b);
  const ids: string[] = [];
  const qs: [string, string][] = [
    [
      "How do I make sourdough rise in a cold kitchen?",
      "## In short\n\nGive it **time and warmth**. A cold kitchen slows the yeast.\n\n- Put the dough in the oven with only the light on\n- Use a little more starter (25 % instead of 20 %)\n- Fold every 45 minutes\n\n| Kitchen | First rise |\n|---|---|\n| 18 °C | 9 h |\n| 24 °C | 5 h |\n",
    ],
    [
      "Explain the borrow checker in Rust",
      'The **borrow checker** makes sure that references never outlive what they point to.\n\n```rust\nfn main() {\n    let s = String::from("hi");\n    println!("{s}");\n}\n```\n',
    ],
    ["Plan a weekend in Lisbon", "Friday: Alfama. Saturday: Belém. Sunday: Sintra."],
    ["Tax letter to the office", "Dear Sir or Madam, …"],
    ["Names for a cat", "Miso, Pixel, Biscuit."],
    ["Quarterly report outline", "1. Summary 2. Numbers 3. Outlook"],
  ];
  for (const [q, a] of qs) ids.push(await chat.prepare(q, a));
  const work = await call<{ id: string }>("POST", "/folders", { name: "Work" });
  await call("POST", "/folders", { name: "Kitchen" });
  await call("POST", "/chat-batch", { ids: [ids[3], ids[5]], change: { folderId: work.id } });
  await call("PATCH", `/chat/${ids[1]}`, { isPinned: true });
  await call("PATCH", `/chat/${ids[4]}`, { isArchived: true });
  await call("POST", "/presets", {
    name: "Terse engineer",
    instructions: "Answer in at most five lines.",
    model: null,
    temperature: 0.2,
  });
  await call("POST", "/presets", {
    name: "Warm editor",
    instructions: "Correct my English kindly.",
    model: null,
    temperature: 1,
  });
  await chat.open(ids[0]);
  const shot = async (name: string) => {
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${OUT}/${name}.png` });
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  await page
    .getByRole("main")
    .getByRole("button", { name: /Regenerate/ })
    .first()
    .click()
    .catch(() => {});
  await page.waitForTimeout(1500);
  await shot("01-chat-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("02-chat-dark");
  await page.emulateMedia({ colorScheme: "light" });
  const side = page.getByRole("navigation").first();
  await side.locator("[data-chat]").first().hover();
  await side
    .getByRole("button", { name: /More for/ })
    .first()
    .click();
  await shot("03-menu");
  await page.keyboard.press("Escape");
  await side
    .getByRole("button", { name: /Work/ })
    .first()
    .click()
    .catch(() => {});
  await shot("04-folder-open");
  await page
    .getByRole("button", { name: /Search/ })
    .first()
    .click();
  await page.keyboard.type("rise");
  await page.waitForTimeout(800);
  await shot("05-search");
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("06-search-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.keyboard.press("Escape");
  await page.goto("/chat?temporary=1");
  await shot("07-temporary");
  await page.goto("/chat");
  await shot("08-welcome");
  await page.goto("/settings/data");
  await shot("09-data");
  await page.goto("/settings/usage");
  await shot("10-usage");
  await page.goto("/settings/chat");
  await shot("11-settings-chat");
  await page.setViewportSize({ width: 390, height: 844 });
  await shot("12-settings-chat-phone");
  await page.goto(`/chat?c=${ids[0]}`);
  await shot("13-chat-phone");
  await page
    .getByRole("button", { name: /Open the list|chats/i })
    .first()
    .click()
    .catch(() => {});
  await shot("14-drawer-phone");
});
