import type { Instance } from '../../src/rpc/api/instances.ts';

/** What a host tells of an instance that runs, but for what a test wants otherwise. */
export function instanceSummary(instance: string, title: string, more: Partial<Instance> = {}): Instance {
  return {
    instance,
    status: 'running',
    title,
    command: [title],
    cwd: '/',
    opened_by: 'operator',
    shared: false,
    waiting: 0,
    cols: 80,
    rows: 24,
    bells: 0,
    ...more,
  };
}
