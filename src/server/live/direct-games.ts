import { findGameTypes, type GameType } from './game-types.ts';
import { protocolOf, queryKeyRules } from './query-keys.ts';

/**
 * GameDig's protocols that send UDP packets, or open a TCP connection, to the given address and nowhere else. Most of
 * the others request a web address, which may redirect, ask a master server, log in by telnet, or connect to the host's
 * name instead of its address. `battlefield` and `mumble` do not, but trust numbers and texts of the server: an answer can
 * keep them busy until the memory is full.
 */
const directProtocols: ReadonlySet<string> = new Set([
  'armagetron',
  'ase',
  'cs2d',
  'dayz',
  'doom3',
  'ffow',
  'gamespy1',
  'gamespy2',
  'gamespy3',
  'goldsrc',
  'gtasao',
  'hexen2',
  'jc2mp',
  'mafia2mp',
  'mafia2online',
  'minecraft',
  'minecraftbedrock',
  'minecraftvanilla',
  'mumbleping',
  'openttd',
  'quake1',
  'quake2',
  'quake3',
  'rfactor',
  'samp',
  'savage2',
  'soldat',
  'starmade',
  'starsiege',
  'teamspeak2',
  'teamspeak3',
  'toxikk',
  'tribes1',
  'unreal2',
  'ut3',
  'valve',
  'vcmp',
  'ventrilo',
  'warsow',
  'xonotic',
]);

/** Whether the query of a game reaches nothing but the given address, and needs no secret. */
export function isDirectGame(type: string): boolean {
  return directProtocols.has(protocolOf(type) ?? '') && queryKeyRules(type).needs.length === 0;
}

/** The games of `findGameTypes` without those whose queries reach more than one address. */
export function findDirectGames(text = ''): GameType[] {
  return findGameTypes(text).filter(({ type }) => isDirectGame(type));
}
