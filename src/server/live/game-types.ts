import { games } from 'gamedig';

/** GameDig's protocol for a game; undefined: it has none of its own, or the type is unknown. */
export function protocolOf(type: string): string | undefined {
  return (games as Record<string, { options?: { protocol?: string } } | undefined>)[type]?.options?.protocol;
}

/** Whether GameDig can query games of this type. */
export function isGameType(type: string): boolean {
  return Object.hasOwn(games, type);
}
