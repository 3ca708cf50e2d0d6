/**
 * Two builds into the Python package: the studio, which a server serves under a strict policy, and with `--mode replay`
 * the replay page as one file that needs nothing else.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { MARK } from "./src/model/replay_file.ts";

const BUILT = fileURLToPath(new URL("../src/brickbybrick/studio/page", import.meta.url));

/** Says whose work the script holds besides our own; minifying leaves that out. */
function notice(): Plugin {
  return {
    name: "notice",
    enforce: "post",
    generateBundle(_, bundle) {
      const licence = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf-8").trim();
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk") file.code = `/*!\nThis script contains three.js.\n\n${licence}\n*/\n${file.code}`;
      }
    },
  };
}

/** Puts the built script and style sheet into the page. */
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      if (page?.type !== "asset" || typeof page.source !== "string") throw new Error("no page was built");
      let html = page.source;
      for (const file of Object.values(bundle)) {
        if (file === page) continue;
        if (file.type === "chunk") {
          const code = file.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
          html = html.replace(/<script type="module"[^>]* src=[^>]*><\/script>/, "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n  </body>`);
        } else if (file.fileName.endsWith(".css")) {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(file.source)}</style>`);
        }
        Reflect.deleteProperty(bundle, file.fileName);
      }
      const marks = html.split(MARK).length - 1;
      if (marks !== 1) throw new Error(`the page has ${marks} marks for the models; there must be one`);
      page.source = html;
    },
  };
}

export default defineConfig(({ mode }) => {
  const replay = mode === "replay";
  return {
    base: "./",
    plugins: replay ? [notice(), inline()] : [notice()],
    server: { proxy: { "/api": "http://127.0.0.1:8000" } },
    build: {
      outDir: BUILT,
      emptyOutDir: !replay,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 800,
      rollupOptions: {
        input: replay ? "replay.html" : "index.html",
        optimization: { inlineConst: { mode: "all" } }, // three.js has many
      },
    },
    test: { include: ["tests/**/*.test.ts"] },
  };
});
