import { z } from 'zod';
import { id, path } from './values.ts';

/** The path under which the service reads the names that are banned in the settings of a server at Nitrado. */
const nitradoBanNames = 'nitrado:settings.general.bans';

const servers = z.array(id).optional().describe('whose file it is; default: every server of the list');

const banFile = z.strictObject({
  file: path,
  filesOf: id
    .optional()
    .describe('the server at whose place (its key files) the file lies; default: it is on this machine'),
  format: z.enum(['battleye', 'dayz', 'vpp']),
  servers,
  write: z
    .boolean()
    .default(false)
    .describe('true: Outpost writes bans made with "outpost ban add" into it and takes them out again'),
});

const banNames = z
  .strictObject({
    format: z.literal('nitrado').describe('the banned names in the settings of a server at Nitrado'),
    filesOf: id.describe('the server, whose key files has the type nitrado'),
    servers,
  })
  .transform((source) => ({ ...source, file: nitradoBanNames, write: false }));

/** Where bans of a list come from. */
export const banSource = z.discriminatedUnion('format', [banFile, banNames], {
  error: 'expected a format: battleye, dayz or vpp with a file, or nitrado with filesOf',
});
