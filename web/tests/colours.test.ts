import { describe, expect, it } from "vitest";
import { coloursOf, hexOf, looksOf, palette, rgbOf, type Colour } from "../src/model/colours";

const colour = (code: number, hex: string): Colour => ({
  code,
  name: `colour ${code}`,
  hex,
  common: true,
});

describe("colours", () => {
  it("look as the server says, with or without a sign, and grey where it says nothing", () => {
    palette.learn([colour(4, "B40000"), colour(212, "#97cbd9")]);
    expect([hexOf(4), hexOf(212), hexOf(999)]).toEqual(["#B40000", "#97cbd9", "#969696"]);
    expect(rgbOf(hexOf(4))).toEqual([180, 0, 0]);
  });

  it("offer some to begin with", () => {
    palette.learn([colour(212, "#97cbd9"), colour(4, "#b40000")]);
    expect(palette.basic.map(({ code }) => code)).toEqual([4]);
  });

  it("go into a replay and come out of it", () => {
    palette.learn([colour(4, "#b40000"), colour(1, "#1e5aa8")]);
    const looks = looksOf([1, 1, 4]);
    palette.learn(coloursOf(looks));
    expect([hexOf(1), hexOf(4)]).toEqual(["#1e5aa8", "#b40000"]);
  });
});
