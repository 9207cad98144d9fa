import { EventEmitter } from "node:events";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { PictureSender } from "../../src/live/picture-sender.ts";
import { PictureSource } from "../../src/live/picture-source.ts";

/** A screencast as Chromium has it: two frames are under way at most, and what is drawn meanwhile is lost. */
class Screen extends EventEmitter {
  starts = 0;
  #inFlight = 0;
  #drawn = "";

  draw(picture: string): void {
    this.#drawn = picture;
    if (this.#inFlight < 2) this.#send();
  }

  async send(method: string): Promise<void> {
    if (method === "Page.screencastFrameAck") this.#inFlight -= 1;
    if (method !== "Page.startScreencast") return;
    this.starts += 1;
    this.#inFlight = 0;
    if (this.#drawn !== "") this.#send();
  }

  async detach(): Promise<void> {}

  #send(): void {
    this.#inFlight += 1;
    const data = Buffer.from(this.#drawn).toString("base64");
    this.emit("Page.screencastFrame", { data, sessionId: 1, metadata: { deviceWidth: 10, deviceHeight: 10 } });
  }
}

async function shown(count: number): Promise<{ screen: Screen; source: PictureSource; viewers: Viewer[] }> {
  const screen = new Screen();
  const viewers: Viewer[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that a source uses of it
  const context = { newCDPSession: async () => screen as unknown as CDPSession } as unknown as BrowserContext;
  const source = new PictureSource(context, 100, () => viewers.forEach(({ sender }) => sender.onPicture()));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is only compared
  await source.show({} as Page);
  for (let index = 0; index < count; index += 1) {
    const pictures: string[] = [];
    const sender = new PictureSender(({ jpeg }) => void pictures.push(Buffer.from(jpeg).toString()));
    sender.follow(source, { maxFps: Infinity });
    viewers.push({ pictures, sender });
  }
  return { screen, source, viewers };
}

function at(viewers: readonly Viewer[], index: number): Viewer {
  const viewer = viewers[index];
  if (!viewer) throw new Error("there is no such viewer");
  return viewer;
}

interface Viewer {
  readonly pictures: string[];
  readonly sender: PictureSender;
}

test("whatever Chromium drops, the last picture of a burst is seen by the viewer that is ready for it", async () => {
  for (let burst = 1; burst <= 6; burst += 1) {
    const { screen, source, viewers } = await shown(1);
    const { pictures, sender } = at(viewers, 0);
    for (let index = 1; index <= burst; index += 1) screen.draw(`picture ${index}`);
    for (let number = 1; sender.acknowledge(number); number += 1);
    expect(pictures.at(-1)).toBe(`picture ${burst}`);
    expect(pictures.length).toBe(new Set(pictures).size);
    source.close();
  }
});

test("a viewer that never acknowledges leaves another one every picture", async () => {
  const { screen, source, viewers } = await shown(2);
  const [slow, fast] = [at(viewers, 0), at(viewers, 1)];
  for (let index = 1; index <= 50; index += 1) {
    screen.draw(`picture ${index}`);
    fast.sender.acknowledge(index);
  }
  expect(fast.pictures).toHaveLength(50);
  expect(slow.pictures).toEqual(["picture 1"]);
  expect(slow.sender.acknowledge(7)).toBe(false);
  expect(slow.sender.acknowledge(1)).toBe(true);
  expect(slow.pictures).toEqual(["picture 1", "picture 50"]);
  source.close();
});

test("a page that is still asks for nothing", async () => {
  const { screen, source, viewers } = await shown(1);
  screen.draw("picture");
  viewers[0]?.sender.acknowledge(1);
  expect(screen.starts).toBe(1);
  expect(viewers[0]?.pictures).toHaveLength(1);
  source.close();
});
