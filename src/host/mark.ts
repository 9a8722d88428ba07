/** The mark of a session: something short that only tickmux draws, so that a real card is known by it. */
import { randomInt } from 'node:crypto';

const animals = [
  'fox',
  'owl',
  'elk',
  'hare',
  'wren',
  'newt',
  'lynx',
  'crow',
  'toad',
  'seal',
  'moth',
  'swan',
  'mole',
  'ibis',
  'stag',
  'carp',
  'dove',
  'kite',
  'crab',
  'otter',
  'finch',
  'heron',
  'robin',
  'tern',
  'vole',
  'pike',
  'rook',
];

/** Made anew at each start of a host and told to operators only. */
export function makeMark(): string {
  return `${animals[randomInt(animals.length)]}-${randomInt(10, 100)}`;
}
