/** Where a program starts that is opened beside another one. */
import { expect, test } from 'vitest';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { TestHost, until } from '../support/test-host.ts';

test('it is the directory that one says it is in, and its own where there is no such directory', async () => {
  const host = await TestHost.start();
  const operator = await host.operator();
  const none = { shell: true, place: { in: 'none' } } as const;
  const script = 'while read where; do printf "\\033]7;file://%s\\a%s\\n" "$where" "$where"; done';
  const { instance } = await operator.open(['sh', '-c', script], { ...none, cwd: '/usr' });
  const beside = async () => {
    const command = ['sh', '-c', 'pwd; exec cat'];
    const params = { ...none, command, cwd_of: instance, env: { PATH: process.env.PATH ?? '' } };
    const opened = await operator.client.request(operatorApi.open, params);
    await until('it says where it is', async () => (await operator.text(opened.instance)) !== '');
    return operator.text(opened.instance);
  };
  const says = async (where: string) => {
    await operator.client.request(operatorApi.typeText, { instance, text: `${where}\r` });
    // Once as the echo of what is typed, once as printed behind the sequence.
    await until(`it says ${where}`, async () => (await operator.text(instance)).split(where).length === 3);
  };
  expect(await beside()).toBe('/usr');
  await says('/usr/bin');
  expect(await beside()).toBe('/usr/bin');
  await says('/no/such/place');
  expect(await beside()).toBe('/usr');
  await says('/etc/passwd');
  expect(await beside()).toBe('/usr');
});
