/** A Tick that sends updates as fast as its output takes them; for the bench alone. */
import { createInterface } from 'node:readline';

let seq = 0;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const state = () => ({ seq, data: { value: seq, history: [1, 2, 3, 4, 5, 6, 7, 8] } });
const descriptor = {
  protocol: 3,
  kind: 'bench.noisy',
  title: 'Noisy',
  description: '',
  revision: '1',
  tools: [],
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line);
    send({ id, result: method === 'tick/describe' ? descriptor : state() });
  })
  .on('close', () => process.exit(0));

function more() {
  for (let count = 0; count < 200; count++) {
    seq++;
    if (send({ method: 'tick/update', params: state() })) continue;
    process.stdout.once('drain', more);
    return;
  }
  setImmediate(more);
}
more();
