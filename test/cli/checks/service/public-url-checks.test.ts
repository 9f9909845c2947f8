import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkPublicUrl } from '../../../../src/cli/checks/service/public-url-checks.ts';
import { selfSigned } from '../../../harness/certificate.ts';

async function proxy(name: string): Promise<{ url: string; cert: string }> {
  const keys = selfSigned(name);
  const https = createServer(keys, (_request, response) => void response.end());
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void https.close());
  return { url: `https://localhost:${(https.address() as AddressInfo).port}`, cert: keys.cert };
}

/** The certificates of tests end on 2049-12-31. */
const daysBeforeEnd = (days: number): number => Date.parse('2049-12-31T23:59:59Z') - days * 86_400_000;

test('a certificate that ends soon is a warning, one that lasts is none', async () => {
  const { url, cert } = await proxy('localhost');
  expect(await checkPublicUrl(url, false, daysBeforeEnd(30), cert)).toEqual([]);
  expect(await checkPublicUrl(url, false, daysBeforeEnd(9.5), cert)).toEqual([
    expect.objectContaining({ status: 'warning', found: 'its certificate ends in 9 days' }),
  ]);
});

test('a certificate for another name is wrong', async () => {
  const { url, cert } = await proxy('example.org');
  expect(await checkPublicUrl(url, false, daysBeforeEnd(30), cert)).toEqual([
    expect.objectContaining({ status: 'wrong', found: 'its certificate is for another name' }),
  ]);
});

test.each([
  ['http://127.0.0.1:1', true, 'no answer from this machine'],
  ['https://name.invalid', false, 'the name does not resolve'],
])('%s cannot be reached', async (url, isRunning, found) => {
  expect(await checkPublicUrl(url, isRunning, Date.now())).toEqual([
    expect.objectContaining({
      status: 'warning',
      found: expect.stringMatching(new RegExp(`${found}|EAI_AGAIN`)),
    }),
  ]);
});
