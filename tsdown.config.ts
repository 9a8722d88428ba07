import { defineConfig } from 'tsdown';

/** scripts/build.mjs builds beside `dist` and then swaps, so that nobody meets a half-written build. */
const outDir = process.env.TICKMUX_BUILD_DIR ?? 'dist';

const shared = {
  outDir,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  clean: false,
  sourcemap: true,
  logLevel: 'warn',
  report: false,
  deps: {
    // Loaded as hundreds of small files, TypeBox costs 120 ms of every start; in one piece 20.
    alwaysBundle: [/^@sinclair\/typebox/, 'commander', 'chalk', 'string-width', 'jsonc-parser'],
    onlyBundle: false,
  },
} as const;

export default defineConfig([
  {
    ...shared,
    entry: { cli: 'src/cli/main.ts' },
    dts: false,
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].mjs' },
  },
  {
    ...shared,
    entry: { 'ticks/counter': 'src/ticks/counter.ts', 'ticks/market': 'src/ticks/market.ts' },
    dts: false,
    outputOptions: { chunkFileNames: 'ticks/[name]-[hash].mjs' },
    copy: [{ from: 'src/ticks/*.py', to: `${outDir}/ticks` }],
  },
  { ...shared, entry: { sdk: 'src/sdk/index.ts' }, dts: true },
]);
