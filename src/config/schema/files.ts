import { z } from 'zod';
import { secret, unquoted } from './secret.ts';
import { host, port, text } from './values.ts';

/** A URL that contains a user name and a password. */
const remoteHost = z
  .string()
  .refine(
    (value) => host.safeParse(value).success,
    unquoted(
      'expected a host name or address alone; the user name, password and port have keys of their own',
    ),
  )
  .describe('of the SFTP or FTP server, as the panel of the host shows it');

const login = { host: remoteHost, username: text(255) };

const sftp = z
  .strictObject({
    type: z.literal('sftp'),
    ...login,
    port: port.default(22).describe('panels often use 2022'),
    password: secret.optional(),
    privateKey: secret.optional().describe('an OpenSSH or PEM private key'),
    passphrase: secret.optional().describe('of the private key, when it is encrypted'),
  })
  .refine(({ password, privateKey }) => password !== undefined || privateKey !== undefined, {
    error: 'expected a password or a privateKey',
  });

const ftp = z.strictObject({
  type: z.enum(['ftp', 'ftps']).describe('ftps: with TLS. With ftp the password and all data travel open'),
  ...login,
  port: port.default(21).describe('990: TLS from the first byte'),
  password: secret,
});

/** Owners may put the token here by mistake. */
const serviceNumber = unquoted('expected the number of the service, as the address of its page shows it');

const nitrado = z
  .strictObject({
    type: z.literal('nitrado'),
    serviceId: z
      .union([z.int().positive(), z.string().regex(/^[0-9]{1,12}$/, serviceNumber)], serviceNumber)
      .transform(String),
    token: secret.describe('a long-life token with the scope "service"'),
  })
  // From the environment.
  .transform((place) => ({ ...place, baseUrl: undefined as string | undefined }));

/** The remote place of a server's files: a `Place` of game-files, which opens it. */
export const files = z.discriminatedUnion(
  'type',
  [sftp, ftp, nitrado],
  unquoted(
    'expected where the files lie, such as { type: sftp, host: …, username: …, password: { env: NAME } }',
  ),
);

/** What is to be known of the places of one kind, besides how they are opened. */
export interface PlaceKind {
  /** The port where the config names none; left out: it has no such key. */
  usualPort?: number;
  /** Why a host shows no key that could be trusted, as the end of "The files of SERVER are …"; left out: it shows one. */
  noKey?: string;
  /** The password and all data travel as they are. */
  isUnencrypted?: true;
  /** Set where a provider limits requests, and hands logs over in batches. */
  provider?: {
    /** How late a line of a log may come. */
    logsLateByMs: number;
    /** How late a line of a log may come, as owners read it. */
    logsLate: string;
    /** Where it shows the query port of a game server: its own config file may be out of reach. */
    queryPort: string;
  };
}

export const placeKinds: Readonly<Record<z.output<typeof files>['type'], PlaceKind>> = {
  sftp: { usualPort: 22 },
  ftps: { usualPort: 21 },
  ftp: {
    usualPort: 21,
    noKey: 'reached by plain FTP, which shows no key: use sftp or ftps',
    isUnencrypted: true,
  },
  nitrado: {
    noKey: 'at Nitrado, whose certificate is that of a known authority',
    provider: {
      // Batches come every 10 to 20 minutes, and logs are polled a few minutes apart.
      logsLateByMs: 30 * 60_000,
      logsLate: 'Nitrado hands logs over every 10 to 20 minutes',
      queryPort: "the query port in Nitrado's web interface",
    },
  },
};
