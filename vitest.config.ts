import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Longer than tests wait by themselves (test/support/patience.ts): a busy machine fails none.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    globalSetup: 'test/support/temporary-root.ts',
  },
})
