import { loadGameDig } from './gamedig.ts';

export const defaultGameType = 'dayz';

/** Whether GameDig can query servers of a type; of the usual one it is known without loading GameDig. */
export function isGameType(type: string): boolean {
  return type === defaultGameType || Object.hasOwn(loadGameDig().games, type);
}
