/** Opens pages in the system's Chromium, which draws in software, and takes pictures of them. */

import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** A page that is ready, and the list of everything it complained about. */
export async function open(browser, url, size, offline = false) {
  const context = await browser.newContext({ ...size, offline });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => window.__ready === true, null, { timeout: 60000 });
  return { page, complaints };
}
