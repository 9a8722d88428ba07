/** Lets a file that this process holds open stand on a full disk for a while. Linux only. */
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';

/** Every write to `path` fails with ENOSPC until what this returns is called. */
export function fillDisk(path: string): () => void {
  const fd = descriptorOf(path);
  replace(fd, '/dev/full', 'r+');
  return () => replace(fd, path, 'a');
}

function descriptorOf(path: string): number {
  const found = readdirSync('/proc/self/fd').find((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`${path} is not open.`);
  return Number(found);
}

/** Node has no dup2; a new file takes the lowest number that is free. */
function replace(fd: number, path: string, flags: string): void {
  closeSync(fd);
  const others: number[] = [];
  let opened = openSync(path, flags);
  while (opened < fd) {
    others.push(opened);
    opened = openSync(path, flags);
  }
  for (const other of others) closeSync(other);
  if (opened !== fd) throw new Error(`Descriptor ${fd} was taken meanwhile.`);
}
