import { z } from 'zod';
import { gameBanFiles } from '../../server/games/table.ts';
import { id, path } from './values.ts';

/** `battleye, dayz or vpp` */
const named = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const formats = gameBanFiles.map(({ format }) => format);

/** The path under which the service reads the names that are banned in the settings of a server at Nitrado. */
const nitradoBanNames = 'nitrado:settings.general.bans';

const servers = z.array(id).optional().describe('whose file it is; default: every server of the list');

const banFile = z.strictObject({
  file: path,
  filesOf: id
    .optional()
    .describe('the server at whose place (its key files) the file lies; default: it is on this machine'),
  format: z.enum(formats),
  servers,
});

const banNames = z
  .strictObject({
    format: z.literal('nitrado').describe('the banned names in the settings of a server at Nitrado'),
    filesOf: id.describe('the server, whose key files has the type nitrado'),
    servers,
  })
  .transform((source) => ({ ...source, file: nitradoBanNames }));

/** Where bans of a list come from. */
export const banSource = z.discriminatedUnion('format', [banFile, banNames], {
  error: `expected a format: ${named.format(formats)} with a file, or nitrado with filesOf`,
});
