/** `npm run bench [screens|host]`: builds what is stale, then measures it. */
import { runTypeScript } from './typescript.mjs';

runTypeScript('bench/run.ts', process.argv.slice(2));
