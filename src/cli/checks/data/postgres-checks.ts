import type { Environment } from '../../../config/environment.ts';
import { StoreError } from '../../../server/store/engine/error.ts';
import { inspectPostgres, type PostgresState } from '../../../server/store/engine/postgres/inspect.ts';
import { shownUrl } from '../../../server/store/engine/postgres/url.ts';
import { sizeText } from '../../output.ts';
import { about, type About, type Finding } from '../finding.ts';
import { split } from './data-checks.ts';

/** Tokens and bans end by the clock of the machine that asks. */
const mostAheadMs = 5_000;

/** Whether the store on PostgreSQL can be used. */
export async function checkPostgres(
  { storeUrl }: Environment,
  inspect = inspectPostgres,
): Promise<Finding[]> {
  if (storeUrl === undefined) return [];
  const store = about('OUTPOST_STORE_URL', shownUrl(storeUrl));
  try {
    const state = await inspect(storeUrl);
    return [checkState(store, state), ...checkClock(store, state)];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [store.wrong(...split(error.message))];
  }
}

function checkState(store: About, state: PostgresState): Finding {
  const { version, size, isNew, isReadOnly, forbidden } = state;
  const answers = `PostgreSQL ${version} answers`;
  if (isReadOnly) {
    return store.wrong(
      `${answers}, and can only be read`,
      'set default_transaction_read_only to off, which some hosts set to on when a disk is full',
    );
  }
  if (forbidden.length > 0) {
    return store.wrong(
      `${answers}, and its user may not write ${forbidden.slice(0, 3).join(', ')}`,
      'let the user of the store URL own the database and its tables',
    );
  }
  if (isNew) return store.good(`${answers}; the first start creates the tables`);
  return store.good(`${answers}, ${sizeText(size)}`);
}

function checkClock(store: About, { clockAheadMs }: PostgresState): Finding[] {
  if (Math.abs(clockAheadMs) <= mostAheadMs) return [];
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000);
  return [
    store.warning(
      `its clock is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of this machine`,
      'let both machines set their clocks by NTP',
    ),
  ];
}
