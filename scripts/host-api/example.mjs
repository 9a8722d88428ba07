/** An example session, checked against the declarations so that it cannot fall behind them. */
import { Ajv } from 'ajv';

const session = [
  ['→', 1, 'hello', { name: 'example', version: '1.0' }],
  [
    '←',
    1,
    'hello',
    {
      host: { name: 'tickmux', version: '0.1.0' },
      protocol: 1,
      session: 'main',
      agent: 'agent:3',
      resumed: false,
      resume: 'rGm0c2VjcmV0',
      limits: { line_bytes: 16777216, waiting_calls: 1000, wait_ms: 60000, expires_s: 86400 },
    },
  ],
  ['→', 2, 'TickManage', { action: 'list' }],
  [
    '←',
    2,
    'TickManage',
    {
      instances: [
        {
          instance: 'hosted:1',
          status: 'running',
          title: 'Counter',
          kind: 'example.counter',
          command: ['counter'],
          cwd: '/home/ada',
          opened_by: 'operator',
          shared: false,
          seq: 4,
          revision: '3f9a',
          waiting: 0,
          cols: 80,
          rows: 24,
          bells: 0,
        },
      ],
    },
  ],
  [
    '→',
    3,
    'TickCall',
    { instance: 'hosted:1', tool: 'add', arguments: { amount: 5 }, reason: 'The target is 20.' },
  ],
  [
    '←',
    3,
    'TickCall',
    {
      call: 'call:12',
      kind: 'tool',
      instance: 'hosted:1',
      tool: 'add',
      state: 'denied',
      words: 'Not while I am counting.',
    },
  ],
];

export function exampleSession(api) {
  const messages = new Map(Object.values(api).map((one) => [one.method, one]));
  const ajv = new Ajv({ strict: false, allErrors: true });
  const lines = session.map(([arrow, id, method, value]) => {
    const { params, result } = messages.get(method);
    const isRequest = arrow === '→';
    if (!ajv.validate(isRequest ? params : result, value)) {
      throw new Error(`The example of ${method} in scripts/host-api no longer fits: ${ajv.errorsText()}`);
    }
    const body = isRequest ? { id, method, params: value } : { id, result: value };
    return `${arrow} ${JSON.stringify({ jsonrpc: '2.0', ...body })}`;
  });
  return [
    '## An example on agent.sock',
    'The last answer comes when a person has decided; here the person said no.',
    '',
    '```',
    ...lines,
    '```',
  ].join('\n');
}
