import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openFtpPlace } from '../../src/ftp/ftp-files.ts';
import { openSftpPlace } from '../../src/sftp/sftp-files.ts';
import { knownHostsInMemory } from '../../src/remote/known-hosts.ts';
import type { RemoteFiles } from '../../src/file-access.ts';
import { noSshd, noVsftpd, type RealServer, startOpenSsh, startVsftpd } from '../servers/real-servers.ts';
import { describeFiles } from '../files-contract.ts';

const options = () => ({ clock: systemClock, knownHosts: knownHostsInMemory() });

/** A folder that any user may read. */
function publicFolder(prefix: string): string {
  const folder = mkdtempSync(prefix);
  chmodSync(folder, 0o755);
  return folder;
}

describe.skipIf(noSshd !== null)(`OpenSSH's server${noSshd === null ? '' : ` (${noSshd})`}`, () => {
  let folder: string;
  let root: string;
  let server: RealServer;
  let files: RemoteFiles;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'game-files-sshd-'));
    root = mkdtempSync(join(folder, 'root'));
    const started = await startOpenSsh(folder);
    server = started;
    const { port, username, privateKey } = started;
    files = openSftpPlace({ type: 'sftp', host: '127.0.0.1', port, username, privateKey }, options());
  });

  afterAll(async () => {
    await files.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  describeFiles('by SFTP', async () => {
    const at = mkdtempSync(join(root, 'a'));
    return { source: files.of('a'), root: at, folder: at };
  });
});

describe.skipIf(noVsftpd !== null)(`vsftpd${noVsftpd === null ? '' : ` (${noVsftpd})`}`, () => {
  describe.each([
    ['FTP', 'ftp'],
    ['FTPS', 'ftps'],
  ] as const)('by %s', (_, type) => {
    let folder: string;
    let root: string;
    let server: RealServer;
    let files: RemoteFiles;

    beforeAll(async () => {
      folder = publicFolder(join(tmpdir(), 'game-files-vsftpd-'));
      root = publicFolder(join(folder, 'root'));
      server = await startVsftpd(folder, root, { tls: type === 'ftps' });
      const login = { username: 'anonymous', password: 'x' };
      files = openFtpPlace({ type, host: '127.0.0.1', port: server.port, ...login }, options());
    });

    afterAll(async () => {
      await files.close();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    describeFiles('by its real protocol', async () => {
      const at = publicFolder(join(root, 'a'));
      return { source: files.of('a'), root: at, folder: `/${basename(at)}` };
    });
  });
});
