import { pino } from 'pino';
import { openReader, openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { isStoreUrl } from '../../src/server/store/engine/postgres/url.ts';
import { openSmallValues, type SmallValues } from '../../src/server/store/engine/small-values.ts';

/**
 * The small values of a store, by connections of their own.
 * @param place the data folder, or the URL of a store on PostgreSQL
 */
export async function openValuesOf(place: string): Promise<SmallValues & { close(): Promise<void> }> {
  const location = isStoreUrl(place) ? place : storeFile(place);
  const writer = await openWriter(location);
  const reader = openReader(location);
  return {
    ...openSmallValues(writer, reader.db, pino({ level: 'silent' })),
    async close() {
      await reader.close();
      await writer.close();
    },
  };
}
