import { port, timezone } from '../../config/schema/values.ts';
import { hostOptions } from './host-kinds.ts';
import type { InitOptions } from './options.ts';

type Name = keyof InitOptions;

/** Of each list, one option at most. */
const alternatives: readonly Name[][] = [
  ['serverConfig', ...hostOptions, 'nitradoTokenFile'],
  ['sftpPasswordFile', 'sftpKeyFile'],
];
/** What an option belongs to. */
const needs: readonly (readonly [Name, Name])[] = [
  ...hostOptions.map((option) => [`${option}PasswordFile`, option] as const),
  ['sftpKeyFile', 'sftp'],
  ['sftpPassphraseFile', 'sftpKeyFile'],
  ['nitradoService', 'nitradoTokenFile'],
  ['project', 'add'],
];
const ofServer: readonly Name[] = [
  'serverConfig',
  'address',
  'queryPort',
  'timezone',
  ...hostOptions,
  'nitradoTokenFile',
];
const ofDiscord: readonly Name[] = ['discordTokenFile', 'guild', 'channel'];

/** What is wrong with the options of one call, so that none is ignored in silence; null: nothing. */
export function optionMistake(options: InitOptions): string | null {
  const given = (names: readonly Name[]): Name[] => names.filter((name) => options[name] !== undefined);
  for (const names of alternatives) {
    if (given(names).length > 1)
      return `expected one of ${given(names).map(flagOf).join(', ')}, found several`;
  }
  for (const [name, needed] of needs) {
    if (options[name] !== undefined && options[needed] === undefined)
      return `${flagOf(needed)} is missing: ${flagOf(name)} belongs to it`;
  }
  const [serverOption] = options.server ? [] : given(ofServer);
  if (serverOption !== undefined) return `expected either --no-server or ${flagOf(serverOption)}`;
  const [discordOption] = options.discord ? [] : given(ofDiscord);
  if (discordOption !== undefined) return `expected either --no-discord or ${flagOf(discordOption)}`;
  const [otherOption] = options.add === true ? given(ofDiscord) : [];
  if (otherOption !== undefined) return `expected either --add or ${flagOf(otherOption)}`;
  if (options.add === true && !options.server) return 'expected either --add or --no-server';
  if (options.queryPort !== undefined && !port.safeParse(Number(options.queryPort)).success)
    return '--query-port: expected a port from 1 to 65535';
  if (options.timezone !== undefined && !timezone.safeParse(options.timezone).success)
    return '--timezone: expected an IANA time zone such as Europe/Berlin or UTC';
  if (options.json === true && options.yes !== true)
    return '--json prints nothing but the result, so no questions can be asked. Add --yes';
  return null;
}

const flagOf = (name: Name): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
