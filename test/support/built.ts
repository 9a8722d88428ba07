/** Makes sure that `dist` is what the sources are, for tests that run the product itself. */
import { build } from '../../scripts/build.mjs';

export function ensureBuilt(): void {
  if (!build()) throw new Error('The build failed; what it said stands above.');
}
