import { defineConfig } from 'vitest/config';

/** Tests that leave nothing of themselves in their process: they share what they load, which halves their time. */
const inMemory = [
  'test/{agents,architecture,cells,protocol,rpc,schema,screen,tui}/**/*.test.ts',
  'test/cli/{config,jsonc,schema,view-settings,workspace}.test.ts',
];

export default defineConfig({
  test: {
    // Real processes in real terminals: half of the time a test waits for one, so two cores carry three.
    pool: 'forks',
    maxWorkers: 3,
    // Tests wait for conditions; this only ends what would wait for ever, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'memory', include: inMemory, isolate: false } },
      { extends: true, test: { name: 'processes', include: ['test/**/*.test.ts'], exclude: inMemory } },
    ],
  },
});
