/**
 * How much CPU this process has used: on a busy machine the clock on the wall says nothing about how slow a
 * stranger's schema is. Judges nothing.
 */

/** Milliseconds; of all threads, so that it never says less than a piece of work took. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** How old a sample may be, in milliseconds. */
const oldest = 50;
let sample = { at: Number.NEGATIVE_INFINITY, cpu: 0 };

/** The same at some moment of the last 50 ms: in some containers asking costs as much as a check itself. */
export function recentCpuMs(): number {
  const at = performance.now();
  if (at - sample.at > oldest) sample = { at, cpu: cpuMs() };
  return sample.cpu;
}

/** Shorter work is not worth asking the system about. */
const shortMs = 20;

/** Starts now; gives the milliseconds since then in which this process itself may have been at work. */
export function stopwatch(): () => number {
  const start = performance.now();
  const before = recentCpuMs();
  return () => {
    const passed = performance.now() - start;
    return passed <= shortMs ? passed : Math.min(passed, cpuMs() - before);
  };
}
