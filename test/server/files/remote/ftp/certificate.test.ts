import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../../src/process/clock.ts';
import { openFtpPlace } from '../../../../../src/server/files/remote/ftp/ftp-files.ts';
import { knownAuthority, trustInMemory } from '../../../../../src/server/files/remote/host-trust.ts';
import { type SelfSigned, selfSigned } from '../../../../harness/certificate.ts';
import { startFtp } from '../../../../harness/ftp.ts';
import { temporaryFolder } from '../../../ingest/fixture.ts';

/** A host of FTPS, and how it is trusted. */
async function host(certificate: SelfSigned) {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const ftp = await startFtp({ root, certificate });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  const trust = trustInMemory();
  const place = { ...ftp, type: 'ftps', host: '127.0.0.1' } as const;
  const files = openFtpPlace(place, { clock: systemClock, trust });
  onTestFinished(async () => await files.close());
  return { ftp, trust, address: `ftps://127.0.0.1:${ftp.port}`, port: files.of() };
}

test('a host whose certificate of a known authority expired is said to have let it expire, and when', async () => {
  const { ftp, trust, address, port } = await host(selfSigned('ftp.example.org', '240131235959Z'));
  await trust.trust(address, knownAuthority);
  await expect(port.stat('/a.ADM')).rejects.toMatchObject({
    code: 'EREMOTE',
    message: expect.stringContaining(`${address} shows a certificate that expired on 2024-01-31`),
    remedy: expect.stringContaining('ask the host to renew it'),
  });
  expect(ftp.passwords).toEqual([]);
});

test('another certificate than one of a known authority is not taken, whatever it says', async () => {
  const { ftp, trust, address, port } = await host(selfSigned());
  await trust.trust(address, knownAuthority);
  await expect(port.stat('/a.ADM')).rejects.toMatchObject({
    message: expect.stringContaining(`${address} shows a certificate that no known authority signed for it`),
    remedy: expect.stringContaining('ask the host whether they changed it'),
  });
  expect(ftp.passwords).toEqual([]);
});

test('a certificate that was accepted as it is goes on after it has expired', async () => {
  const { port } = await host(selfSigned('ftp.example.org', '240131235959Z'));
  expect((await port.stat('/a.ADM')).size).toBe(4);
  expect((await port.stat('/a.ADM')).size).toBe(4);
});
