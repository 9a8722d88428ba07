import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes in real terminals: half of the time a test waits for one, so two cores carry three.
    pool: 'forks',
    maxWorkers: 3,
    // Tests wait for conditions; this only ends what would wait for ever, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
