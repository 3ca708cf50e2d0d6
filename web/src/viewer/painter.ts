/**
 * One WebGL context for every canvas of a page, because browsers allow few of them: a scene is rendered once and
 * copied to the canvas that shows it.
 */

import { PCFShadowMap, WebGLRenderer, type PerspectiveCamera, type Scene } from "three";

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;
const SHARPEST = 2; // device pixels for a pixel of the page, at most

export class Painter {
  readonly lite: boolean;
  private readonly renderer: WebGLRenderer;

  /** `lite` leaves out shadows and fine studs: asked for by `?lite=1`, or because nothing but the CPU draws. */
  constructor(search: string) {
    const asked = new URLSearchParams(search).get("lite");
    const software = asked === null && drawsInSoftware();
    this.lite = asked === "1" || software;
    this.renderer = new WebGLRenderer({ alpha: true, antialias: !this.lite, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = !this.lite;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
  }

  /** Draws a scene into a canvas; returns the number of draw calls. */
  paint(scene: Scene, camera: PerspectiveCamera, canvas: HTMLCanvasElement, shadowsMoved: boolean): number {
    const paper = canvas.getContext("2d");
    if (!paper || !canvas.width || !canvas.height) return 0;
    const { renderer } = this;
    if (renderer.domElement.width !== canvas.width || renderer.domElement.height !== canvas.height) {
      renderer.setSize(canvas.width, canvas.height, false);
    }
    renderer.shadowMap.needsUpdate = shadowsMoved;
    renderer.render(scene, camera);
    paper.clearRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(renderer.domElement, 0, 0);
    return renderer.info.render.calls;
  }

  /** Device pixels for a pixel of the page. */
  get sharpness(): number {
    return this.lite ? 1 : Math.min(window.devicePixelRatio || 1, SHARPEST);
  }

  /** Calls back when the browser has taken the graphics away and given them back. */
  onRestored(redraw: () => void): void {
    this.renderer.domElement.addEventListener("webglcontextrestored", redraw);
  }
}

/** Whether this browser can draw in three dimensions at all. */
export function canDraw(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return true;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" && SOFTWARE.test(name);
}
