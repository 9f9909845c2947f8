import type { ReadDatabase } from '../../store/engine/database.ts';

/** The version of a project's data: a number that changes whenever an answer may. Without a project: of all data. */
export interface DataVersion {
  now(projectId?: string): number;
  /**
   * The version, read once for all requests in one turn of the event loop. A later commit comes after those requests
   * were sent, so their answers need not show it. To read it for each, twice, takes a tenth of a cached answer.
   */
  ofTurn(projectId?: string): number;
}

/** Changes with each commit to the store that concerns the project, and with the one setting outside it. */
export function createDataVersion(
  { dataVersion, revisions }: Pick<ReadDatabase, 'dataVersion' | 'revisions'>,
  supportUrl: () => string | null,
): DataVersion {
  let knownUrl = supportUrl();
  let changes = 0;
  const now = (projectId?: string): number => {
    const url = supportUrl();
    if (url !== knownUrl) {
      knownUrl = url;
      changes += 2 ** 32;
    }
    return dataVersion(projectId) + changes;
  };
  // Known in memory, and another for each project.
  if (revisions !== undefined) return { now, ofTurn: now };
  let read: number | null = null;
  const forget = (): void => void (read = null);
  return {
    now,
    ofTurn() {
      if (read === null) {
        read = now();
        setImmediate(forget);
      }
      return read;
    },
  };
}
