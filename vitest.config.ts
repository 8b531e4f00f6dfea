import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 20_000, hookTimeout: 30_000 }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'] }, plugins: [svelte({ configFile: false })] },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...slow } },
      { test: { name: 'electron', include: ['test/electron/**/*.test.ts'], ...slow } },
    ],
  },
})
