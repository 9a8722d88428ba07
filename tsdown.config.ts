import { defineConfig } from 'tsdown';

/** scripts/build.mjs builds beside `dist` and then swaps, so that nobody meets a half-written build. */
const outDir = process.env.TICKMUX_BUILD_DIR ?? 'dist';

export default defineConfig([
  {
    entry: {
      cli: 'src/cli/main.ts',
      sdk: 'src/sdk/index.ts',
      'ticks/counter': 'src/ticks/counter.ts',
      'ticks/market': 'src/ticks/market.ts',
    },
    outDir,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    clean: false,
    sourcemap: true,
    dts: false,
    report: false,
    logLevel: 'warn',
    checks: { pluginTimings: false },
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].mjs' },
    copy: [{ from: 'src/ticks/*.py', to: `${outDir}/ticks` }],
    deps: {
      // Loaded as hundreds of small files, TypeBox alone costs 120 ms of every start, ajv 50; in one piece 20.
      alwaysBundle: [
        /^@sinclair\/typebox/,
        /^ajv/,
        /^fast-(deep-equal|uri)/,
        'json-schema-traverse',
        'commander',
        'chalk',
        'string-width',
      ],
      onlyBundle: false,
    },
  },
  // The types an author of a Tick compiles against; making them takes longer than all the rest.
  ...(process.env.TICKMUX_BUILD_TYPES
    ? [
        defineConfig({
          entry: { sdk: 'src/sdk/index.ts' },
          outDir,
          platform: 'node',
          format: 'esm',
          clean: false,
          report: false,
          logLevel: 'warn',
          checks: { pluginTimings: false },
          dts: { emitDtsOnly: true },
        }),
      ]
    : []),
]);
