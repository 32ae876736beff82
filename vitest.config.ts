import { defineConfig } from 'vitest/config'
import { BUILT_SOURCES } from './test/support/built-sources.ts'

export default defineConfig({
  plugins: [BUILT_SOURCES],
  test: {
    include: ['test/**/*.test.ts'],
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    maxWorkers: 2,
    // Longer than tests wait by themselves (test/support/patience.ts): a busy machine fails none.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    globalSetup: ['test/support/built-sources.ts', 'test/support/temporary-root.ts'],
  },
})
