import { games } from 'gamedig';

/** Every game type that GameDig can query. */
export const gameTypes: ReadonlySet<string> = new Set(Object.keys(games));
