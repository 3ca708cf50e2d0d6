import { expect, it } from "vitest";
import { asideOf, boxAside, type Aside } from "../src/model/asides";

const inner: Aside = { says: "1", bricks: [0], until: 2, turned: false, by: [10, 0, -3] };
const outer: Aside = { says: "2", bricks: [0, 1], until: 4, turned: true, by: [20, 5, 9] };

it("a brick lies with the inner chunk, then with the outer one, then where it belongs", () => {
  const found = [1, 2, 3, 4].map((shown) => asideOf([inner, outer], 0, shown)?.says ?? null);
  expect(found).toEqual(["1", "2", "2", null]);
  expect(asideOf([inner, outer], 3, 1)).toBeNull();
});

it("a box is moved, and upside down what was its top and its back is its bottom and its front", () => {
  const box = { low: [1, 2, 3], high: [2, 4, 9] } as const;
  expect(boxAside(box, inner)).toEqual({ low: [11, 2, 0], high: [12, 4, 6] });
  expect(boxAside(box, outer)).toEqual({ low: [21, 1, 0], high: [22, 3, 6] });
});
