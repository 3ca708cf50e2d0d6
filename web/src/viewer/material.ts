/** Lambert's matt surface with outlines along the edges of every face, and with an opacity for each instance. */

import { MeshLambertMaterial, type MeshLambertMaterialParameters } from "three";

interface BrickMaterial extends MeshLambertMaterialParameters {
  readonly outline?: number; // how strong the outlines are, 0 to 1
  readonly fading?: boolean; // whether instances carry an opacity, as the attribute `strength`
  readonly hatching?: boolean; // whether instances say that they are hatched, as the attribute `hatched`
}

export function brickMaterial({
  outline = 0.6,
  fading = false,
  hatching = false,
  ...rest
}: BrickMaterial = {}): MeshLambertMaterial {
  const material = new MeshLambertMaterial(rest);
  material.onBeforeCompile = (shader) => {
    const strength = fading
      ? { declare: "attribute float strength;", value: "strength" }
      : { declare: "", value: "1.0" };
    const hatched = hatching ? { declare: "attribute float hatched;", value: "hatched" } : { declare: "", value: "0.0" };
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        attribute vec4 edges; ${strength.declare} ${hatched.declare}
        varying vec4 vEdges; varying float vStrength; varying float vHatched;`,
      )
      .replace(
        "#include <begin_vertex>",
        `#include <begin_vertex>
        vEdges = edges; vStrength = ${strength.value}; vHatched = ${hatched.value};`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        "#include <common>\nvarying vec4 vEdges; varying float vStrength; varying float vHatched;",
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        vec2 nearest = min(vEdges.xy, vEdges.zw);
        float away = min(nearest.x, nearest.y);
        float blur = max(fwidth(away), 0.0005);
        // An outline is never thinner than a pixel, and fades where a face has few pixels.
        float width = max(0.022, 0.6 * blur);
        float edge = (1.0 - smoothstep(width, width + blur, away)) * (1.0 - smoothstep(0.12, 0.35, blur));
        float light = dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722));
        vec3 line = light < 0.04 ? diffuseColor.rgb + 0.16 : diffuseColor.rgb * 0.28;
        // Stripes of the picture, not of the brick: they look alike on all faces and at all distances.
        float stripe = step(5.0, mod(gl_FragCoord.x + gl_FragCoord.y, 10.0));
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(light < 0.4 ? 0.85 : 0.12), vHatched * stripe * 0.55);
        diffuseColor.rgb = mix(diffuseColor.rgb, line, edge * ${outline.toFixed(3)});
        diffuseColor.a *= vStrength;
        ${rest.transparent ? "diffuseColor.a = min(1.0, diffuseColor.a * (1.0 + 1.6 * edge));" : ""}`,
      );
  };
  material.customProgramCacheKey = () => `brick ${outline} ${fading} ${hatching} ${rest.transparent ?? false}`;
  return material;
}
