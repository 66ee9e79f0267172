// The browser and the site of the tests in a file, from before its first test until after its last one.
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { launch, serve } from "./support";

export let browser: Browser;
/** Where the site is. */
export let address: string;
let stop: () => void;

before(async () => {
  browser = await launch();
  const served = await serve();
  address = served.address;
  stop = () => served.server.close();
});
after(async () => {
  await browser.close();
  stop();
});
