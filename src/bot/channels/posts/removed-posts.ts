import { loggable } from '../../loggable.ts';
import type { JobOptions } from '../background-options.ts';
import { failureOf } from '../channel-refusal.ts';
import { changeAlone } from '../placement-store.ts';
import { Sender } from '../sender.ts';

type RemovedPostsOptions = JobOptions & {
  /** The keys of all posts in the config. */
  configuredKeys: readonly string[];
};

/** The keys of all posts whose message may stand in a channel: those of the config, and removed ones. */
const knownKey = 'posts';

/**
 * Deletes the messages of posts that the config no longer has, since nobody would keep them up to date. A message that Discord
 * does not delete now is tried again at the next start. Never rejects.
 */
export async function deleteRemovedPosts(options: RemovedPostsOptions): Promise<void> {
  const { keyv, configuredKeys, log } = options;
  const changeValue = changeAlone(keyv);
  try {
    const before = (await keyv.get<readonly string[]>(knownKey)) ?? [];
    const added = configuredKeys.filter((key) => !before.includes(key));
    if (added.length > 0)
      await changeValue<readonly string[]>(knownKey, (known = []) => [...new Set([...known, ...added])]);
    for (const key of before.filter((each) => !configuredKeys.includes(each))) {
      if (!(await deletePost(key, options))) continue;
      await changeValue<readonly string[]>(knownKey, (known = []) => known.filter((each) => each !== key));
    }
  } catch (error) {
    log.warn({ error: loggable(error) }, 'could not delete the posts that the config no longer has');
  }
}

/** @returns whether nothing is left to do */
async function deletePost(key: string, options: RemovedPostsOptions): Promise<boolean> {
  const { keyv, log, signal } = options;
  const [kind = '', channelId = ''] = key.split(':');
  const { messageId } = (await keyv.get<{ messageId?: string }>(key)) ?? {};
  if (messageId !== undefined) {
    const what = { channelId, messageId };
    const name = kind.replace('-', ' ');
    const sender = new Sender({ ...options, channelId, name, failed: `could not delete a ${name}` });
    try {
      await sender.turn('edit');
      await sender.delete(messageId);
      log.info(what, `deleted a ${name} that the config no longer has`);
    } catch (error) {
      const isRefused = failureOf(error) === 'refused';
      const next = isRefused ? 'delete it yourself if it is still there' : 'the next start tries again';
      if (!signal.aborted)
        log.warn(
          { ...what, error: loggable(error) },
          `could not delete a ${name} that the config no longer has; ${next}`,
        );
      if (!isRefused) return false;
    }
  }
  await keyv.delete(key);
  return true;
}
