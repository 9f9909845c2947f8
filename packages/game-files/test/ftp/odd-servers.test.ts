import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { FileAccess } from '../../src/file-access.ts';
import { OpenedFile } from '../../src/reading/opened-file.ts';
import { openFtpPlace } from '../../src/ftp/ftp-files.ts';
import { knownHostsInMemory } from '../../src/remote/known-hosts.ts';
import type { RemoteFiles } from '../../src/file-access.ts';
import { type FtpStandIn, startFtp } from '../servers/ftp.ts';
import { describeFiles } from '../files-contract.ts';

const others = 500;
const logBytes = 2_500_000;
const closesIdle = 'that closes idle connections';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'game-files-odd-ftp-'));
  mkdirSync(join(root, 'full'));
  for (let i = 0; i < others; i += 1) writeFileSync(join(root, 'full', `crash ${i}.mdmp`), '');
  writeFileSync(join(root, 'full/DayZServer_x64.ADM'), 'line\n');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A port of which each request finds its connection closed. */
function idleBefore(port: FileAccess, ftp: FtpStandIn): FileAccess {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        ftp.cutIdle();
        return value.apply(target, args);
      };
    },
  });
}

describe.each<[string, Partial<FtpStandIn>]>([
  ['that does all that is asked of it', {}],
  ['without MLSD', { hasMlsd: false }],
  ['without MLSD and flags of LIST', { hasMlsd: false, hasFlags: false }],
  ['without MDTM', { hasTimes: false }],
  ['without EPSV', { hasEpsv: false }],
  ['that names a private address for its data', { hasEpsv: false, passiveAddress: '10.0.0.7' }],
  ['that names a drive of Windows', { drive: 'C:' }],
  ['that names a drive of Windows, without MLSD', { drive: 'D:', hasMlsd: false }],
  ['that serves one connection at a time', { mostConnections: 1 }],
  [closesIdle, {}],
])('an FTP server %s', (name, traits) => {
  const top = traits.drive ?? '';
  let ftp: FtpStandIn;
  let opened: RemoteFiles;

  beforeAll(async () => {
    ftp = await startFtp({ root });
    Object.assign(ftp, traits);
    opened = openFtpPlace(
      { type: 'ftp', host: '127.0.0.1', port: ftp.port, username: ftp.username, password: ftp.password },
      { clock: systemClock, knownHosts: knownHostsInMemory() },
    );
  });

  afterAll(async () => {
    await opened.close();
    await ftp[Symbol.asyncDispose]();
  });

  const source = (): FileAccess => (name === closesIdle ? idleBefore(opened.of('a'), ftp) : opened.of('a'));

  const newFolder = (): { root: string; folder: string } => {
    const folder = mkdtempSync(join(root, 'a'));
    return { root: folder, folder: `${top}/${basename(folder)}` };
  };

  describeFiles('of a host', async () => ({ source: source(), ...newFolder() }));

  test('has a log among hundreds of other files', async () => {
    const log = { name: 'DayZServer_x64.ADM', stat: { size: 5 } };
    expect(await source().list('full', { matching: /\.ADM$/, stat: 'all' })).toMatchObject([log]);
    expect((await source().list(`${top}/full`, { matching: /^/, stat: 'all' })).length).toBe(others + 1);
    const { parts } = await source().read(`full/${log.name}`, [{ offset: 1, length: 3 }]);
    expect(String(parts[0])).toBe('ine');
  });

  test('sends a log that is read in parts less than three times', async () => {
    const { root: at, folder } = newFolder();
    const bytes = Buffer.from('12:00:00 | a line of a log\n'.repeat(Math.ceil(logBytes / 27)));
    writeFileSync(join(at, 'DayZServer_x64.ADM'), bytes);
    const before = ftp.wireBytes;
    const log = await OpenedFile.open(opened.of('a'), `${folder}/DayZServer_x64.ADM`, [
      { offset: 0, length: 256 * 1024 },
    ]);
    const buffer = Buffer.alloc(256 * 1024);
    let read = 0;
    for (;;) {
      const { bytesRead } = await log.read(buffer, 0, buffer.length, read);
      if (bytesRead === 0) break;
      expect(buffer.subarray(0, bytesRead).equals(bytes.subarray(read, read + bytesRead))).toBe(true);
      read += bytesRead;
    }
    expect(read).toBe(bytes.length);
    // A part is cut off when it has come; this machine's buffers, which hold megabytes, have more by then.
    expect(ftp.wireBytes - before).toBeLessThan(3 * bytes.length);
  });
});
