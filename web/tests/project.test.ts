import { describe, expect, it } from "vitest";
import { projectOf, projectText, type Project } from "../src/model/project";
import { USUAL, forBuilding, forReading, settingsOf } from "../src/model/settings";

const project: Project = {
  input: { kind: "file", name: "heart.png", content: "AAAA" },
  settings: { ...USUAL, size: 48, mosaic: true },
  agent: "mason",
  model: { schema: 2, bricks: [], target: "heart.png", builder: "Mason", budget: null, iou: 1 },
};

describe("a project", () => {
  it("comes back as it was saved", () => {
    expect(projectOf(projectText(project))).toEqual(project);
    const drawn: Project = { ...project, input: { kind: "drawings", name: "drawing", drawings: [{ width: 1, height: 1 }] } };
    expect(projectOf(projectText(drawn))).toEqual(drawn);
  });

  it("of an older studio, which counted layers of bricks, is raised", () => {
    const brick = { part: "2x4", x: 0, y: 0, z: 2, d: 0, colour: 4, step: 0 };
    const old = projectText({ ...project, model: { ...project.model!, schema: 1, bricks: [brick] } });
    expect(projectOf(old)!.model).toEqual({ ...project.model, bricks: [{ ...brick, z: 6 }] });
  });

  it("is told from models and from anything else", () => {
    expect(projectOf('{"schema": 1, "bricks": []}')).toBeNull();
    expect(projectOf("[1, 2]")).toBeNull();
    expect(projectOf("0 FILE model.ldr")).toBeNull();
  });

  it("of a newer studio is refused, and parts that make no sense are left out", () => {
    expect(() => projectOf(projectText(project).replace('"version":1', '"version":2'))).toThrow("update");
    const odd = { format: "brickbybrick project", version: 1, input: { kind: "file", name: 3 }, model: 7, agent: null };
    expect(projectOf(JSON.stringify(odd))).toEqual({ input: null, settings: USUAL, agent: "", model: null });
  });
});

describe("settings", () => {
  it("leave to the server what nobody has chosen, and leave out what does not apply", () => {
    expect(forReading(USUAL, "mason", true)).not.toHaveProperty("size");
    expect(forReading({ ...USUAL, size: 40 }, "mason", true)).toMatchObject({ agent: "mason", size: 40 });
    expect(forReading({ ...USUAL, depth: 3, mosaic: true, dither: true }, "mason", true)).not.toHaveProperty("depth");
    expect(forReading({ ...USUAL, dither: true }, "mason", true)).toMatchObject({ dither: false });
    expect(forReading({ ...USUAL, size: 40 }, "b3", false)).toEqual({ agent: "b3" });
    expect(forReading(USUAL, "mason", true)).not.toHaveProperty("parts");
    const plates = { ...USUAL, parts: "plates" };
    expect(forReading(plates, "mason", true)).toMatchObject({ parts: "plates" });
    expect(forReading({ ...plates, proportions: "cubic" }, "mason", true)).toMatchObject({ parts: "bricks" });
    expect(forBuilding({ ...USUAL, hollow: 2 }, true)).toMatchObject({ hollow: 2 });
    expect(forBuilding({ ...USUAL, hollow: 2 }, false)).toEqual({});
    const box = { ...USUAL, inventory: "2x4=9" };
    for (const sent of [forReading(box, "mason", true), forBuilding(box, true)]) expect(sent).toMatchObject({ inventory: "2x4=9" });
    for (const sent of [forReading(USUAL, "mason", true), forBuilding(USUAL, true), forBuilding(box, false)]) {
      expect(sent).not.toHaveProperty("inventory");
    }
  });

  it("of a file are taken as far as they can be used", () => {
    expect(settingsOf({ size: "large", contrast: 1.5, mosaic: 1, palette: "common", more: 3 })).toEqual({
      ...USUAL,
      contrast: 1.5,
      palette: "common",
    });
  });
});
