#!/usr/bin/env node
/**
 * The market: a simulated exchange for one symbol, traded by keys and by calls alike.
 * Options: `--seed N` for another run of prices, `--step MS` for another pace (1000 is one step a second).
 */
import { parseArgs } from 'node:util';
import { defineTick } from '../sdk/index.ts';
import { createExchange } from './market/exchange.ts';
import { stateRecord } from './market/records.ts';
import { marketScreen } from './market/screen.ts';
import { createTicket } from './market/ticket.ts';
import { marketTools } from './market/tools.ts';
import { terminalFor } from './screen.ts';

const { seed, stepMs } = readOptions();
const exchange = createExchange(seed);
const ticket = createTicket(exchange);

const tick = defineTick({
  kind: 'example.market',
  title: 'Market',
  description:
    'A simulated exchange for the symbol ACME: an order book with a crowd in it, and limit orders of a person and an agent. Each has an account; both see all.',
  state: () => stateRecord(exchange),
  series: [
    { path: '/candles', newest: 'last' },
    { path: '/orders', newest: 'last' },
    { path: '/closed', newest: 'last' },
  ],
  recoverWith: 'trades',
  tools: marketTools(exchange, announce),
});

/** Ends the program with a sentence when an option is not usable. */
function readOptions(): { seed: number; stepMs: number } {
  try {
    const { values } = parseArgs({
      options: { seed: { type: 'string', default: '42' }, step: { type: 'string', default: '1000' } },
    });
    const [seed, stepMs] = [Number(values.seed), Number(values.step)];
    if (Number.isSafeInteger(seed) && Number.isInteger(stepMs) && stepMs >= 1 && stepMs <= 86_400_000) {
      return { seed, stepMs };
    }
  } catch {
    // An option that does not exist, or has no value.
  }
  process.stderr.write(
    'market takes --seed with a whole number and --step with 1 to 86400000 milliseconds.\n',
  );
  process.exit(2);
}

const terminal = terminalFor('market', tick.hosted);

/** Tells host and person what changed, whoever changed it. */
function announce(): void {
  tick.changed();
  draw();
}

function draw(): void {
  if (!terminal) return;
  terminal.draw(marketScreen({ exchange, ticket, quits: !tick.hosted, stepMs }, terminal));
}

terminal?.onResize(draw);
terminal?.onKey((key) => {
  if (key === 'q' && !tick.hosted && !ticket.asking) process.exit(0);
  // Moving in the ticket or the list is a matter of the screen alone: no update (tick T-8.3-2).
  if (ticket.press(key)) announce();
  else draw();
});

setInterval(() => {
  exchange.step();
  announce();
}, stepMs);

draw();
tick.start();
