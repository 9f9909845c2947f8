import { bothSides } from './statements.ts';

/**
 * The keys of the list of forgotten players, each as 64 hex digits. Before, the key lay outside the store. That of an
 * existing list moves here at the first start (`takeOverKey`); `rights.key_check` tells which one it is.
 */
export const forgottenKey = bothSides([
  `CREATE TABLE forgotten_key (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT`,
]);
