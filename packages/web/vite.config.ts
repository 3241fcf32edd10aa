import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the development server finds the API; the built files are served by the server itself. */
const server = process.env.VEDETTE_URL ?? 'http://127.0.0.1:8400'

/** Nothing is painted before the script has chosen the theme, so that a dark screen never flashes white. */
const blockRendering: Plugin = {
  name: 'block-rendering',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
  },
}

export default defineConfig({
  resolve: { alias: { typebox: fileURLToPath(new URL('src/api/without-typebox.ts', import.meta.url)) } },
  plugins: [react(), tailwind(), blockRendering],
  build: { modulePreload: { polyfill: false }, target: 'es2023', reportCompressedSize: true },
  server: {
    proxy: Object.fromEntries(['/v1', '/v2', '/web', '/health'].map((path) => [path, { target: server }])),
  },
})
