import type { ConfigInput } from '../../src/config/schema.ts';
import { startCuttingLink } from '../harness/cutting-link.ts';
import { startSftp } from '../../packages/game-files/test/servers/sftp.ts';

type Files = NonNullable<
  NonNullable<NonNullable<ConfigInput['projects']>[number]['servers']>[number]['files']
>;

/** A folder of logs behind an SFTP server, on a link that is cut at random. */
export interface AwayLogs extends AsyncDisposable {
  /** For the config; the password is in the variable `SFTP_PASSWORD`. */
  files: Files;
  password: string;
  cuts(): number;
  /** Cuts the link no more. */
  mend(): void;
}

export async function startAway(root: string, random: () => number): Promise<AwayLogs> {
  const sftp = await startSftp({ root });
  const link = await startCuttingLink(sftp.port, () =>
    // Some connections live long enough for all that has come meanwhile.
    random() < 0.7 ? 4_000 + random() * 12_000 : 1_000_000,
  );
  return {
    files: {
      type: 'sftp',
      host: '127.0.0.1',
      port: link.port,
      username: sftp.username,
      password: { env: 'SFTP_PASSWORD' },
    },
    password: sftp.password,
    cuts: () => link.cuts,
    mend: () => (link.nextCut = () => Number.POSITIVE_INFINITY),
    async [Symbol.asyncDispose]() {
      await link[Symbol.asyncDispose]();
      await sftp[Symbol.asyncDispose]();
    },
  };
}
