import { relative, sep } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Runs tests with one check switched off, for scripts/mutants.mjs. The mutation happens while the
 * module is loaded, so the files in the tree stay as they are.
 */
const mutant = JSON.parse(process.env.TEST_MUTANT ?? 'null') as null | {
  file: string;
  find: string;
  replace: string;
};

export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        const file = relative(import.meta.dirname, id.split('?')[0]!)
          .split(sep)
          .join('/');
        if (!mutant || file !== mutant.file) return null;
        const [before, after, ...more] = code.split(mutant.find);
        if (after === undefined || more.length > 0) throw new Error(`${file} has changed meanwhile`);
        return { code: `${before}${mutant.replace}${after}`, map: null };
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    // Without its check many a test waits for something that never comes.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    bail: 1,
  },
});
