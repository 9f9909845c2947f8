import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ByteSource } from '../src/index.ts';

/** Real files of servers, anonymised; `samples/README.md` says what is in each folder. */
export const samples = fileURLToPath(new URL('samples/', import.meta.url));

export const sampleServers = ['server-a', 'server-b', 'server-c', 'server-d', 'server-e', 'console'] as const;

/** The sample admin logs of a server. */
export function sampleLogs(server: string): string[] {
  return readdirSync(join(samples, server))
    .filter((name) => name.endsWith('.ADM'))
    .map((name) => join(samples, server, name));
}

/** A file with this text. */
export function sourceOf(text: string): ByteSource {
  const bytes = Buffer.from(text);
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(buffer, offset, position, Math.min(bytes.length, position + length)),
    }),
  };
}

/** The header of a run as the game writes it. @param time `2024-05-01 12:00:00` */
export const header = (time: string): string =>
  `\n\n${'*'.repeat(78)}\nAdminLog started on ${time.replace(' ', ' at ')}\n`;

/** A run that starts on 2024-05-01 at noon. */
export const run = (...lines: string[]): string => `${header('2024-05-01 12:00:00')}${lines.join('\n')}\n`;

/** DayZ ids that look like the game's. */
export const idA = 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=';
export const idB = 'jB_bOEJyq9mvxR8JFgT_HcJvTp5Ia8yUrdy9ee9TBak=';
export const idC = 'D1qir9yQ56fWAgSTys-2jelHhSoc_2BXuXIOh4NbH0M=';
/** SteamID64s of the first three. */
export const steamA = '76561197998690788';
export const steamB = '76561198207985320';
export const steamC = '76561198017124053';
