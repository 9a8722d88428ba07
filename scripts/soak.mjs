/** `npm run soak`: builds what is stale, then keeps a host busy and says whether it grew. SOAK_S: for how long. */
import { runTypeScript } from './typescript.mjs';

runTypeScript('bench/soak.ts', []);
