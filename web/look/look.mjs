/**
 * Uses the built studio as a person would, against the toy server, takes pictures on the way and fails on whatever the
 * browser complains about. `node look/look.mjs [folder]`
 */

import { mkdirSync, realpathSync } from "node:fs";
import { preview } from "vite";
import { SIZES, launch, open } from "./shoot.mjs";

const folder = process.argv[2] ?? "look/pictures";
mkdirSync(folder, { recursive: true });
const server = await preview({ preview: { port: 4179, strictPort: true }, logLevel: "error" });
const address = "http://localhost:4179/";
const browser = await launch();
const problems = [];

async function visit(name, size, lite, act) {
  const { page, complaints } = await open(browser, `${address}?lite=${lite}`, size);
  try {
    await act(page, (what) => page.screenshot({ path: `${folder}/studio-${name}-${what}.png` }));
  } catch (error) {
    problems.push(`${name}: ${error}`);
    await page.screenshot({ path: `${folder}/studio-${name}-failed.png` });
  }
  problems.push(...complaints.map((complaint) => `${name}: ${complaint}`));
  await page.context().close();
}

const choose = (page, source) => page.locator(`#source label:has(input[value=${source}])`).click();
const built = (page) =>
  page.waitForFunction(
    () => /IoU|topples|broke off|Stopped/.test(document.querySelector("#status").textContent),
    null,
    { timeout: 60000 },
  );
const toEnd = (page) => page.locator("button[aria-label^='To the end']").click();
const rest = (page, time = 900) => page.waitForTimeout(time);

async function draw(page, pad, points) {
  const box = await page.locator(".pad").nth(pad).boundingBox();
  const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(points[0]));
  await page.mouse.down();
  for (const point of points.slice(1)) await page.mouse.move(...at(point), { steps: 6 });
  await page.mouse.up();
}

function expect(text, pattern) {
  if (!pattern.test(text)) throw new Error(`${text} is not ${pattern}`);
}

const FIVE = [
  [0.7, 0.18],
  [0.34, 0.18],
  [0.32, 0.46],
  [0.55, 0.44],
  [0.7, 0.56],
  [0.68, 0.76],
  [0.5, 0.85],
  [0.3, 0.8],
];

await visit("desktop", SIZES.desktop, 0, async (page, picture) => {
  await picture("empty");
  await draw(page, 0, FIVE);
  await page.waitForSelector(".sees-views");
  await rest(page);
  await picture("drawn");
  await page.click("#build");
  await rest(page, 1500);
  await picture("building");
  await built(page);
  await toEnd(page);
  await rest(page);
  await picture("built");
  await page.locator("input[aria-label='Bricks shown']").fill("8");
  await page.click("#xray");
  await page.waitForSelector(".candidate");
  await page.check("#masked");
  await rest(page);
  await picture("xray");
  await page.click("#xray");
  await page.click("#by-hand");
  const stage = await page.locator(".stage canvas").boundingBox();
  await page.mouse.move(stage.x + stage.width * 0.52, stage.y + stage.height * 0.62);
  await rest(page, 400);
  await picture("hand");
  await page.keyboard.press("r");
  await page.mouse.click(stage.x + stage.width * 0.52, stage.y + stage.height * 0.62);
  await rest(page, 400);
  await page.click("#continue");
  await built(page);
  await rest(page);
  const [kit] = await Promise.all([page.waitForEvent("download"), page.click("text=Kit (.zip)")]);
  const [replay] = await Promise.all([page.waitForEvent("download"), page.click("text=Replay (.html)")]);
  await kit.saveAs(`${folder}/kit.zip`);
  await replay.saveAs(`${folder}/replay.html`);
  const calls = await page.$$eval(".stage canvas", (all) => all.map((canvas) => canvas.dataset.calls));
  console.log("draw calls", calls.join());
});

await visit("hand", SIZES.desktop, 1, async (page) => {
  const status = () => page.textContent("#status");
  const count = () => page.textContent(".counter");
  await choose(page, "gallery");
  await page.click("text=three");
  await page.waitForSelector(".sees-views");
  await page.click("#build");
  await rest(page, 120);
  await page.click("#stop");
  await built(page);
  expect(await status(), /Stopped/);
  await toEnd(page);
  await page.waitForSelector(".badges li");
  const before = await count();
  await page.click("#by-hand");
  // Wherever the model is, some of these places are free and some are not; what is told must agree with the count.
  const stage = await page.locator(".stage canvas").boundingBox();
  let placed = 0;
  for (const [x, y] of [
    [0.5, 0.7],
    [0.45, 0.55],
    [0.55, 0.6],
    [0.5, 0.5],
    [0.6, 0.45],
    [0.6, 0.3],
    [0.62, 0.28],
    [0.45, 0.42],
  ]) {
    await page.mouse.click(stage.x + x * stage.width, stage.y + y * stage.height);
    await rest(page, 300);
    const told = /Brick (\d+) is placed/.exec(await status());
    if (told) placed = Number(told[1]) - Number.parseInt(before);
    expect(await count(), new RegExp(`^${Number.parseInt(before) + placed} `));
  }
  if (!placed) throw new Error("no brick could be placed by hand");
  await page.locator("#hand-tools label:has(input[value=remove])").click();
  for (let each = 0; each < placed; each++) await page.click("button[aria-label='Undo the last change']");
  expect(await count(), new RegExp(`^${before}$`));
});

await visit("dark", SIZES.dark, 0, async (page, picture) => {
  await choose(page, "gallery");
  await page.click("text=heart");
  await page.waitForSelector(".sees-views");
  await page.selectOption("#rival", "random");
  await page.click("#build");
  await built(page);
  await toEnd(page);
  await rest(page);
  await picture("compare");
});

await visit("views", SIZES.desktop, 0, async (page, picture) => {
  await choose(page, "three");
  const box = [
    [0.2, 0.35],
    [0.8, 0.35],
    [0.8, 0.5],
    [0.2, 0.5],
    [0.2, 0.4],
    [0.8, 0.42],
  ];
  await draw(page, 1, [...box, [0.5, 0.5], [0.5, 0.8]]);
  await draw(page, 2, [...box, [0.5, 0.5], [0.5, 0.8]]);
  await draw(page, 0, [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.8, 0.8],
    [0.2, 0.8],
    [0.2, 0.3],
    [0.8, 0.3],
    [0.8, 0.4],
    [0.2, 0.4],
    [0.2, 0.5],
    [0.8, 0.5],
    [0.8, 0.6],
    [0.2, 0.6],
    [0.2, 0.7],
    [0.8, 0.7],
  ]);
  await page.waitForSelector(".sees-views");
  await rest(page);
  await picture("drawn");
  await page.click("#build");
  await built(page);
  await toEnd(page);
  await rest(page);
  await picture("built");
});

await visit("phone", SIZES.phone, 1, async (page, picture) => {
  await draw(page, 0, FIVE);
  await page.waitForSelector(".sees-views");
  await picture("drawn");
  await page.click("#build");
  await built(page);
  await toEnd(page);
  await rest(page);
  await picture("built");
  await page.screenshot({ path: `${folder}/studio-phone-whole.png`, fullPage: true });
});

await visit("keys", { ...SIZES.desktop, reducedMotion: "reduce" }, 1, async (page, picture) => {
  await page.focus(".pad");
  for (const key of [" ", ...Array(14).fill("ArrowDown"), ...Array(10).fill("ArrowLeft"), " "])
    await page.keyboard.press(key);
  await page.keyboard.press("Tab");
  await page.waitForSelector(".sees-views");
  await page.focus("#seed");
  await page.keyboard.press("Enter");
  await built(page);
  await page.focus(".stage canvas");
  await page.keyboard.press("Home");
  expect(await page.textContent(".counter"), /^0 /);
  await page.keyboard.press("ArrowRight");
  expect(await page.textContent(".counter"), /^1 /);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("End");
  await rest(page, 400);
  await picture("built");
});

// The file that was downloaded needs nothing but itself.
for (const [name, size] of Object.entries(SIZES)) {
  const { page, complaints } = await open(
    browser,
    `file://${realpathSync(folder)}/replay.html?lite=${name === "phone" ? 1 : 0}`,
    size,
    true,
  );
  await page.keyboard.press("Home");
  expect(await page.textContent(".counter"), /^0 /);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => /^[5-9] /.test(document.querySelector(".counter").textContent), null, {
    timeout: 30000,
  });
  await page.keyboard.press(" ");
  await page.keyboard.press("End");
  await rest(page);
  await page.screenshot({ path: `${folder}/replay-${name}.png` });
  problems.push(...complaints.map((complaint) => `replay ${name}: ${complaint}`));
  await page.context().close();
}

await browser.close();
await server.close();
for (const problem of problems) console.error(problem);
process.exit(problems.length ? 1 : 0);
