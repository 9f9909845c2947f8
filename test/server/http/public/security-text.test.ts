import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../../src/config/schema.ts';
import { northwood } from '../../../harness/northwood.ts';
import { baseTime, startTestService } from '../../../harness/service.ts';
import { ask } from '../../../harness/wire.ts';

const path = '/.well-known/security.txt';
const read = async (securityContact: string | undefined) => {
  const service = await startTestService(northwood(), { parts: { securityContact } });
  onTestFinished(() => service.close());
  return await ask(service.url, { path });
};

it('says without a token where to report a vulnerability', async () => {
  const { status, headers, body } = await read('mailto:security@example.org');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const [contact, expires] = body.toString().split('\n');
  expect(contact).toBe('Contact: mailto:security@example.org');
  const until = Date.parse(expires?.replace('Expires: ', '') ?? '');
  expect(until - baseTime).toBe(30 * 86_400_000);
});

it('is not there without a contact', async () => {
  expect((await read(undefined)).status).toBe(404);
});

it.each(['https://example.org/security', 'mailto:security@example.org'])(
  'takes the contact %s',
  (contact) => {
    expect(accepts(contact)).toBe(true);
  },
);

it.each(['security@example.org', 'http://example.org', 'https://example.org\nExpires: never', 'mailto:'])(
  'refuses the contact "%s"',
  (contact) => {
    expect(accepts(contact)).toBe(false);
  },
);

function accepts(securityContact: string): boolean {
  return configSchema.safeParse({ ...northwood(), http: { securityContact } }).success;
}
