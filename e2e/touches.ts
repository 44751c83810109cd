import type { CDPSession, Page } from "@playwright/test";

type Place = { x: number; y: number };

/** Simulates one finger on the screen by DevTools input events. */
export class Finger {
  readonly #devtools: CDPSession;
  #isDown = false;
  #place: Place = { x: 0, y: 0 };

  private constructor(devtools: CDPSession) {
    this.#devtools = devtools;
  }

  static async of(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  async down(x: number, y: number): Promise<void> {
    if (this.#isDown) await this.up();
    this.#isDown = true;
    this.#place = { x, y };
    await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [this.#place] });
  }

  /** Moves in small steps, as a finger does. */
  async move(x: number, y = this.#place.y, steps = 12): Promise<void> {
    const from = this.#place;
    for (let step = 1; step <= steps; step++) {
      this.#place = { x: from.x + ((x - from.x) * step) / steps, y: from.y + ((y - from.y) * step) / steps };
      await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [this.#place] });
    }
  }

  async up(): Promise<void> {
    this.#isDown = false;
    await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async cancel(): Promise<void> {
    this.#isDown = false;
    await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchCancel", touchPoints: [] });
  }
}
