/** One thing the doctor looked at. */
export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  /** What was found. */
  found: string;
  /** What to do, unless all is well. */
  next?: string;
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found });
export const warn = (name: string, found: string, next: string): Check => ({
  name,
  state: 'warn',
  found,
  next,
});
export const fail = (name: string, found: string, next: string): Check => ({
  name,
  state: 'fail',
  found,
  next,
});
