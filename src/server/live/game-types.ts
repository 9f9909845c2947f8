import { games } from 'gamedig';

/** Whether GameDig can query servers of a type. */
export function isGameType(type: string): boolean {
  return Object.hasOwn(games, type);
}
