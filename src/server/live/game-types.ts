import { createRequire } from 'node:module';

export const defaultGameType = 'dayz';

/**
 * Whether GameDig can query servers of a type. It takes a quarter of a second to load, which a command that queries
 * nothing should not; hence only where the type is not the usual one.
 */
export function isGameType(type: string): boolean {
  return type === defaultGameType || Object.hasOwn(gameDig().games, type);
}

function gameDig(): typeof import('gamedig') {
  return createRequire(import.meta.url)('gamedig') as typeof import('gamedig');
}
