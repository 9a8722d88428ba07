/**
 * Lets plain `node --import` run our TypeScript, for what measures the built product from outside of vitest. It
 * checks no types.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// The same file is the hook, which Node runs in a thread of its own.
if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const { default: typescript } = await import('typescript');
  const { ModuleKind, ScriptTarget } = typescript;
  const { outputText } = typescript.transpileModule(await readFile(fileURLToPath(url), 'utf8'), {
    compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, verbatimModuleSyntax: true },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
