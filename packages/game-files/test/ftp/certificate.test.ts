import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openFtpPlace } from '../../src/ftp/ftp-files.ts';
import { knownAuthority, knownHostsInMemory } from '../../src/remote/known-hosts.ts';
import { type SelfSigned, selfSigned } from '../servers/certificate.ts';
import { startFtp } from '../servers/ftp.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A host of FTPS, and how it is trusted. */
async function host(certificate: SelfSigned) {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const ftp = await startFtp({ root, certificate });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  const knownHosts = knownHostsInMemory();
  const place = { ...ftp, type: 'ftps', host: '127.0.0.1' } as const;
  const files = openFtpPlace(place, { clock: systemClock, knownHosts });
  onTestFinished(async () => await files.close());
  return { ftp, knownHosts, address: `ftps://127.0.0.1:${ftp.port}`, source: files.of() };
}

test('a host whose certificate of a known authority expired is said to have let it expire, and when', async () => {
  const { ftp, knownHosts, address, source } = await host(selfSigned('ftp.example.org', '240131235959Z'));
  await knownHosts.trust(address, knownAuthority);
  await expect(source.stat('/a.ADM')).rejects.toMatchObject({
    code: 'EREMOTE',
    message: expect.stringContaining(`${address} shows a certificate that expired on 2024-01-31`),
    remedy: expect.stringContaining('ask the host to renew it'),
  });
  expect(ftp.passwords).toEqual([]);
});

test('another certificate than one of a known authority is not taken, whatever it says', async () => {
  const { ftp, knownHosts, address, source } = await host(selfSigned());
  await knownHosts.trust(address, knownAuthority);
  await expect(source.stat('/a.ADM')).rejects.toMatchObject({
    message: expect.stringContaining(`${address} shows a certificate that no known authority signed for it`),
    remedy: expect.stringContaining('ask the host whether they changed it'),
  });
  expect(ftp.passwords).toEqual([]);
});

test('a certificate that was accepted as it is goes on after it has expired', async () => {
  const { source } = await host(selfSigned('ftp.example.org', '240131235959Z'));
  expect((await source.stat('/a.ADM')).size).toBe(4);
  expect((await source.stat('/a.ADM')).size).toBe(4);
});
