import { beforeEach, expect, test } from 'vitest';
import { battleyeGuidOf } from '../../../../../src/api/identifiers.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import {
  findLinkOfMember,
  findLinkOfPlayer,
  removeLink,
  setLink,
  type LinkOutcome,
} from '../../../../../src/server/store/repositories/links/player-links.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import { exportPlayer } from '../../../../../src/server/store/repositories/rights/export-player.ts';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import type { PersonIdentity } from '../../../../../src/server/store/repositories/players/person-identity.ts';
import { storedLinks } from './stored-links.ts';
import { idA, idB, steamA, temporaryStore } from '../../../ingest/fixture.ts';

let db: Database;
let anna: number;
let bert: number;
beforeEach(async () => {
  db = await temporaryStore();
  [anna, bert] = [await store({ dayzId: idA }), await store({ dayzId: idB })];
});

async function store(identity: PersonIdentity): Promise<number> {
  const person = { identity, names: [], firstSeenAt: 1, lastSeenAt: 2 };
  const { ids } = await savePeople(db, 'p', [person]);
  return ids[0] as number;
}

const claim = async (memberId: string, playerId: number): Promise<LinkOutcome> =>
  await setLink(db, 'p', { memberId, playerId, isProven: false, linkedAt: 1 });
const prove = async (memberId: string, playerId: number, linkedAt = 2): Promise<LinkOutcome> =>
  await setLink(db, 'p', { memberId, playerId, isProven: true, linkedAt });
const links = async (): Promise<(string | number)[][]> =>
  (await storedLinks(db)).map(({ memberId, playerId, isProven }) => [
    memberId,
    playerId,
    isProven ? 'proven' : 'claimed',
  ]);

test('a member has one player and a player one member', async () => {
  expect(await claim('1', anna)).toBe('linked');
  expect(await claim('1', bert)).toBe('linked');
  expect(await links()).toEqual([['1', bert, 'claimed']]);
  expect(await claim('2', bert)).toBe('taken');
  expect(await findLinkOfMember(db, 'p', '2')).toBeNull();
  expect(await findLinkOfPlayer(db, bert)).toMatchObject({ memberId: '1', isProven: false, linkedAt: 1 });
  expect(await removeLink(db, 'p', '1')).toBe(true);
  expect(await removeLink(db, 'p', '1')).toBe(false);
  expect(await claim('2', bert)).toBe('linked');
});

test('a proof takes the place of a claim, and nothing takes its place', async () => {
  await claim('1', anna);
  expect(await prove('2', anna)).toBe('linked');
  expect(await links()).toEqual([['2', anna, 'proven']]);
  expect(await claim('1', anna)).toBe('taken');
  expect(await prove('1', anna)).toBe('taken');
  expect(await prove('2', bert)).toBe('held');
  expect(await claim('2', anna)).toBe('linked');
  expect(await links()).toEqual([['2', anna, 'proven']]);
});

test('a link follows its player, and of two that become one person the proven one stays', async () => {
  const steamId64 = '76561198000000009';
  const guid = await store({ battleyeGuid: battleyeGuidOf(steamId64) });
  const cftools = await store({ cftoolsId: 'c'.repeat(24) });
  await claim('1', guid);
  await prove('2', cftools, 9);
  const person = { identity: { steamId64, cftoolsId: 'c'.repeat(24) }, names: [] };
  await savePeople(db, 'p', [{ ...person, firstSeenAt: 3, lastSeenAt: 3 }]);
  const [link, ...others] = await links();
  expect([link?.[0], link?.[2], others]).toEqual(['2', 'proven', []]);
  expect(await findLinkOfPlayer(db, link?.[1] as number)).toMatchObject({ memberId: '2', linkedAt: 9 });
  expect([guid, cftools]).toContain(link?.[1]);
});

test('a forgotten player takes the link along, and an export has it', async () => {
  await prove('1', anna);
  await claim('2', bert);
  expect(await exportPlayer(db, { identity: { dayzId: idA } })).toMatchObject([
    { player_link: [{ member_id: '1', proven: 1, linked_at: 2 }] },
  ]);
  expect(await forgetPlayer(db, { identity: { steamId64: steamA } })).toMatchObject({ players: 1, links: 1 });
  expect(await links()).toEqual([['2', bert, 'claimed']]);
});
