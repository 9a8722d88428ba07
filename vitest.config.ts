import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes in real terminals: two at a time is what a two-core machine carries.
    pool: 'forks',
    maxWorkers: 2,
    // Tests wait for conditions; this only ends what would wait for ever, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
