/**
 * Turns a few TypeScript files into JavaScript once, for tests that start many processes of them at a time.
 * Checks no types.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = new URL('../../', import.meta.url).pathname;

/** Writes each file of `files` (paths from the repository's root) below `directory`, with `.js` for `.ts`. */
export function transpile(directory: string, files: readonly string[]): void {
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  for (const file of files) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    const out = join(directory, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, outputText);
  }
}
