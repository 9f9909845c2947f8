import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { games as allGames } from 'gamedig';
import { expect, it } from 'vitest';
import { findDirectGames, isDirectGame } from '../../../src/server/live/direct-games.ts';
import { findGameTypes } from '../../../src/server/live/game-types.ts';

const protocols = join(dirname(createRequire(import.meta.url).resolve('gamedig')), '..', 'protocols');
const games = allGames as Record<string, { options: { protocol: string } } | undefined>;

/** A protocol's source, and those of the protocols that it extends or uses. */
function sources(protocol: string, seen = new Set<string>()): string[] {
  if (seen.has(protocol) || protocol === 'core') return [];
  seen.add(protocol);
  const text = readFileSync(join(protocols, `${protocol}.js`), 'utf8');
  const imported = [...text.matchAll(/from '\.\/(\w+)\.js'/g)].map(([, name]) => name ?? '');
  return [text, ...imported.flatMap((name) => sources(name, seen))];
}

/** What would reach another address than the given one: web requests, telnet, the resolver. */
const elsewhere = /\.request\(|telnet|dnsResolver|\bfetch\(/i;
/** Packages that open no connections. Others, such as clients of web services, might. */
const harmless = new Set(['node:buffer', 'seek-bzip', 'varint']);

function reachesElsewhere(protocol: string): boolean {
  return sources(protocol).some((text) => {
    const packages = [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name ?? '');
    return elsewhere.test(text) || packages.some((name) => !harmless.has(name));
  });
}

it('offers members only games whose protocols use the connections of GameDig to the given address', () => {
  const offered = new Set(findDirectGames().map(({ type }) => games[type]?.options.protocol ?? ''));
  const found = [...offered].filter(reachesElsewhere);
  expect(found).toEqual([]);
});

it('knows a protocol that asks elsewhere when it sees one', () => {
  for (const name of ['eco', 'fivem', 'beammp', 'sdtd', 'asa', 'nadeo', 'satisfactory', 'terraria']) {
    expect([name, reachesElsewhere(name)]).toEqual([name, true]);
  }
});

it('offers most games, and none that needs a secret, a name or a master server', () => {
  expect(findDirectGames().length).toBeGreaterThan(0.8 * findGameTypes().length);
  expect(['dayz', 'rust', 'minecraft', 'arma3', 'counterstrike2'].filter(isDirectGame)).toHaveLength(5);
  const refused = ['terraria', 'fivem', 'palworld', 'sdtd', 'asa', 'beammp', 'discord', 'eco', 'nosuchgame'];
  expect(refused.filter(isDirectGame)).toEqual([]);
  expect(isDirectGame('constructor')).toBe(false);
});
