import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageLedger } from '../../src/bot/bot-records.ts';
import { createBotRecords } from '../../src/community/bot-records.ts';
import type { Database } from '../../src/server/store/engine/database.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { importLogs } from '../harness/logs.ts';
import { idA, idB, run, temporaryFiles, temporaryStore } from '../server/ingest/fixture.ts';

let db: Database;
let ledger: MessageLedger;
/** The store's ids. */
let [ann, bob] = [0, 0];
beforeEach(async () => {
  db = await temporaryStore();
  const kill = `12:00:01 | Player "Ann" (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Player "Bob" (id=${idB} pos=<1, 2, 3>) with SVD from 9 meters `;
  const files = temporaryFiles({ 'a.ADM': `${run(kill)}\n` });
  await importLogs(db, { serverId: 's', files, beside: false });
  const players = await db.selectFrom('player').select(['id', 'dayz_id']).execute();
  const idOf = (dayzId: string) => players.find(({ dayz_id }) => dayz_id === dayzId)!.id;
  [ann, bob] = [idOf(idA), idOf(idB)];
  ({ ledger } = createBotRecords(db, db, () => 0));
});

const message = (messageId: string, players: number[], forModerators = false) => ({
  channelId: '1',
  messageId,
  players,
  forModerators,
});
const outdated = async (before: string | null = null) =>
  (await ledger.outdated(before)).map(({ messageId }) => messageId);

describe('the ledger of messages', () => {
  it('names those with a player who was hidden since, the newest first, and not those for moderators', async () => {
    expect(await ledger.add(message('10', [ann]))).toBe('current');
    await ledger.add(message('11', [bob]));
    await ledger.add(message('12', [ann, bob]));
    await ledger.add(message('13', [ann], true));
    expect(await outdated()).toEqual([]);
    await setHidden(db, { identity: { dayzId: idA } }, true);
    expect(await outdated()).toEqual(['12', '10']);
    expect(await outdated('12')).toEqual(['10']);
    await ledger.remove('12');
    expect(await outdated()).toEqual(['10']);
    // Shown again before it was deleted.
    await setHidden(db, { identity: { dayzId: idA } }, false);
    expect(await outdated()).toEqual([]);
  });

  it('names those with a player who was forgotten since, for moderators too', async () => {
    await ledger.add(message('10', [ann, bob], true));
    await ledger.add(message('11', [bob]));
    await forgetPlayer(db, { identity: { dayzId: idA } });
    expect(await outdated()).toEqual(['10']);
  });

  it('says of a message that is late that a player in it is hidden or forgotten by now', async () => {
    await setHidden(db, { identity: { dayzId: idA } }, true);
    expect(await ledger.add(message('10', [ann, bob]))).toBe('outdated');
    expect(await ledger.add(message('11', [ann], true))).toBe('current');
    await forgetPlayer(db, { identity: { dayzId: idA } });
    expect(await ledger.add(message('12', [ann], true))).toBe('outdated');
    expect(await outdated()).toEqual(['12', '11', '10']);
  });

  it('takes a message twice that was sent twice', async () => {
    await ledger.add(message('10', [ann]));
    await ledger.add(message('10', [ann]));
    await setHidden(db, { identity: { dayzId: idA } }, true);
    expect(await outdated()).toEqual(['10']);
  });
});
