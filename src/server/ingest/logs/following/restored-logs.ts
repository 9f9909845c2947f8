import { endRestored, isRestored } from '../../../store/operations/backup/restored-servers.ts';
import type { FollowContext } from './follow-context.ts';

type Server = Pick<FollowContext, 'db' | 'serverId'>;

/** Whether the store was restored and a server's logs were not all read since. What is in them by then is history. */
export class RestoredLogs {
  #isUnread = false;

  /** @param isNew whether the store may have been restored since the last call */
  async isUnread({ db, serverId }: Server, isNew: boolean): Promise<boolean> {
    if (isNew) this.#isUnread = await isRestored(db, serverId);
    return this.#isUnread;
  }

  /** To be called once all logs were read to their ends. A file that cannot be read stays history until it can be. */
  async end({ db, serverId }: Server): Promise<void> {
    if (!this.#isUnread) return;
    await endRestored(db, serverId);
    this.#isUnread = false;
  }
}
