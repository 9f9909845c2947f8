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

/** The remote place of a server's files. */
export const files = z.discriminatedUnion(
  'type',
  [sftp, ftp, nitrado],
  unquoted(
    'expected where the files lie, such as { type: sftp, host: …, username: …, password: { env: NAME } }',
  ),
);
